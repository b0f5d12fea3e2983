import { PACKAGE_LIMITS } from './package.rules.ts';

/** The unlimited package of all users when billing is disabled; it is in no table. */
export const SELF_HOSTED_PACKAGE = {
  id: '673f0000a1b2c3d4e5f60000',
  code: 'SELF_HOSTED',
  names: {
    ar: 'استضافة ذاتية',
    de: 'Selbst betrieben',
    en: 'Self-hosted',
    es: 'Autoalojado',
    fr: 'Auto-hébergé',
    he: 'אירוח עצמי',
    hi: 'स्व-होस्टेड',
    it: 'Autogestito',
    ja: 'セルフホスト',
    nl: 'Zelf gehost',
    pl: 'Własny serwer',
    pt: 'Auto-hospedado',
    tr: 'Kendi sunucunuz',
    uk: 'Власний сервер',
    zh: '自托管版',
  },
  limits: Object.fromEntries(PACKAGE_LIMITS.map((name) => [name, null])),
};
