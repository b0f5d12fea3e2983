import { readdir } from 'node:fs/promises';
import { AUDIT_ACTIONS, ENCRYPTED_COLUMNS, ERRORS, PERMISSIONS } from '../src/catalogue.ts';
import { platformCatalogue } from '../src/platform/catalogue.ts';
import type { EncryptedColumnDefinition } from '../src/shared/catalogue.ts';
import { t } from './tap.ts';

interface Catalogue {
  errors?: object;
  auditActions?: object;
  permissions?: object;
  encryptedColumns?: readonly EncryptedColumnDefinition[];
}

const catalogueFiles = (await readdir('src/features', { recursive: true })).filter((file) =>
  /^[^/]+\/catalogue\.ts$/.test(file),
);
// Tests run from transpiled files.
const modules: object[] = await Promise.all(
  catalogueFiles.map(
    (file) => import(new URL(`../src/features/${file.replace(/ts$/, 'js')}`, import.meta.url).href),
  ),
);
const catalogues: Catalogue[] = [platformCatalogue, ...modules.flatMap((module) => Object.values(module))];

t.test(
  'every declaration of a feature is in the merged catalogue, and no two have the same name',
  async (t) => {
    t.ok(catalogues.length > 10);
    for (const [list, merged] of [
      ['errors', ERRORS],
      ['auditActions', AUDIT_ACTIONS],
      ['permissions', PERMISSIONS],
    ] as const)
      t.same(
        catalogues.flatMap((one) => Object.keys(one[list] ?? {})).sort(),
        Object.keys(merged).sort(),
        list,
      );
    const toName = ({ table, column }: EncryptedColumnDefinition) => `${table}.${column}`;
    t.same(
      catalogues.flatMap(({ encryptedColumns = [] }) => encryptedColumns.map(toName)).sort(),
      ENCRYPTED_COLUMNS.map(toName).sort(),
    );
  },
);
