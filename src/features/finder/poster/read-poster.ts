import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  decryptQrCodeData,
  filterVisibleFields,
  formatShortNumber,
  getCurrentQrCodeStatus,
  getQrCodeKindByName,
  getQrCodeScanUrl,
  LOST_ITEM_REPORT,
  listVisiblePictures,
  parseFieldVisibilities,
  readOwnQrCode,
  resolveFieldVisibilities,
  translateLostMessage,
} from '../../codes/index.ts';
import { findPicture, getPictureSizeAtWidth, listPictures } from '../../files/index.ts';
import type { FinderServices } from '../finder-services.ts';
import {
  INTL_FORMATTERS,
  translateEnumValue,
  translateFieldName,
  translateQrCodeKind,
} from '../formatters.ts';
import type { PosterContent, PosterPaper } from './poster-document.ts';

export interface PosterOptions {
  paper: PosterPaper;
  tearOffs: boolean;
  /** BCP 47. */
  language: string;
}

/** The fields on a poster beside `name`, if everybody may see them. It hangs in the street: add none that identifies a person. */
const POSTER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  PET: ['species', 'breed', 'color', 'sex'],
  LUGGAGE: ['brand', 'color'],
  CAR: ['licensePlate', 'make', 'model', 'color'],
};

const PHOTO_WIDTH_PX = 1_280;

/**
 * Read what the poster of a lost code says: what everybody may see without a PIN, and the lost notice.
 * @throws NOT_FOUND, POSTER_UNAVAILABLE, BUSY, DATA_INTEGRITY
 */
export async function readOwnPoster(
  services: FinderServices,
  context: RequestContext,
  owned: { accountId: string; id: string },
  { paper, tearOffs, language }: PosterOptions,
): Promise<{ content: PosterContent; slug: string }> {
  const { database, files, renditions } = services;
  const locale = toSupportedLocale(language);
  const { picture, ...poster } = await readOwnQrCode(database, context, owned, async (row, tx) => {
    const isOpen = row.takenDownAt === null && getCurrentQrCodeStatus(row) === 'LOST';
    if (!isOpen || row.mode !== 'DYNAMIC') throw new ServiceError('POSTER_UNAVAILABLE');
    const visibility = resolveFieldVisibilities(
      getQrCodeKindByName(row.kind),
      parseFieldVisibilities(row.visibility),
      row.pinHash !== null,
    );
    const fields = POSTER_FIELDS[row.kind];
    const data = fields ? decryptQrCodeData(services.fieldCipher, row) : {};
    const profile = filterVisibleFields('FINDER', data, visibility) ?? {};
    const pictures = fields ? await listPictures(tx, row.accountId, { qrCodeId: row.id }) : [];
    const [photo] = listVisiblePictures(services, { ...row, pictures }, 'FINDER');
    const report = LOST_ITEM_REPORT.decrypt(services.fieldCipher, row);
    const number = row.shortNumber && formatShortNumber(row.shortNumber.number);
    const name = typeof profile.name === 'string' ? profile.name : translateQrCodeKind(locale, row.kind);
    return {
      slug: row.slug,
      picture: photo ? await findPicture(tx, row.accountId, { qrCodeId: row.id }, photo.id) : null,
      content: {
        language: locale.tag,
        paper,
        flag: t(locale, 'finder.lostFlag', { subject: row.kind === 'PET' ? 'animal' : 'other' }),
        name,
        facts: formatFacts(profile, fields ?? [], { kind: row.kind, locale }),
        message: report && translateLostMessage(report, locale),
        circumstances: report
          ? [
              t(locale, 'finder.poster.since', { date: formatDay(report.since, locale) }),
              ...(report.lastSeen === null ? [] : [t(locale, 'finder.lastSeen', { place: report.lastSeen })]),
            ]
          : [],
        reward: report?.reward ? t(locale, 'finder.reward', { reward: report.reward }) : null,
        scanUrl: getQrCodeScanUrl(services.publicBaseUrl, row.id),
        call: t(locale, 'finder.poster.call'),
        hints: [
          t(locale, 'finder.poster.hint'),
          ...(number
            ? [t(locale, 'finder.poster.number', { number, address: formatAddress(services) })]
            : []),
        ],
        number,
        hasTearOffs: tearOffs,
      },
    };
  });
  const requester = owned.accountId;
  const rendition =
    picture && (await renditions.getRendition(picture, { width: PHOTO_WIDTH_PX, format: 'jpeg', requester }));
  const bytes = rendition && (await files.open(database.client, owned.accountId, rendition.fileId));
  const photo =
    picture && bytes
      ? { bytes: Buffer.concat(await bytes.toArray()), ...getPictureSizeAtWidth(PHOTO_WIDTH_PX, picture) }
      : null;
  return {
    slug: poster.slug,
    content: { ...poster.content, photo },
  };
}

function formatFacts(
  profile: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  context: { kind: string; locale: Locale },
): string | null {
  const facts = fields.flatMap((field) => {
    const value = profile[field];
    if (typeof value !== 'string') return [];
    const separator = t(context.locale, 'finder.labelSeparator');
    return [`${translateFieldName(context, field)}${separator}${translateEnumValue(context, value)}`];
  });
  return facts.length === 0 ? null : facts.join(' · ');
}

function formatDay(at: string, { tag }: Locale): string {
  return INTL_FORMATTERS.day(tag).format(new Date(at));
}

/** As people write addresses. */
function formatAddress({ publicBaseUrl }: Pick<FinderServices, 'publicBaseUrl'>): string {
  return publicBaseUrl.replace(/^https?:\/\//, '');
}
