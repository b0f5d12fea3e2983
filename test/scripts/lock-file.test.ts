import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '../tap.ts';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
}

const FOLDERS = ['.', 'docs/.vitepress'];

/** Left out where npm takes the configured registry. */
const REGISTRY = 'https://registry.npmjs.org/';

for (const folder of FOLDERS)
  t.test(`packages of ${folder} have their hash and name no source but the npm registry`, async (t) => {
    const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
      await readFile(join(folder, 'package-lock.json'), 'utf8'),
    );
    const others = Object.entries(lock.packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && !link,
    );
    t.ok(others.length > 200, `${others.length} packages`);
    // npm leaves out the hash of optional development packages for other platforms.
    const isRequired = ({ dev, optional }: LockedPackage) => !(dev && optional);
    const findPaths = (condition: (one: LockedPackage) => boolean) =>
      others.filter(([, one]) => condition(one)).map(([path]) => path);
    t.same(
      findPaths((one) => !one.integrity?.startsWith('sha512-') && isRequired(one)),
      [],
    );
    t.same(
      findPaths(({ resolved }) => !(resolved ?? REGISTRY).startsWith(REGISTRY)),
      [],
    );
    t.same(
      findPaths(({ version = '' }) => !/^\d+\.\d+\.\d+/.test(version)),
      [],
    );
  });

t.test('versions are exact, so that an install gets what was reviewed', async (t) => {
  for (const folder of FOLDERS) {
    const { dependencies, devDependencies } = JSON.parse(
      await readFile(join(folder, 'package.json'), 'utf8'),
    );
    for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies }))
      t.match(version, /^(?:\d+\.\d+\.\d+|file:packages\/|npm:.+@\d+\.\d+\.\d+)/, name);
  }
});
