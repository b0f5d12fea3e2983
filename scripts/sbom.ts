// Print a software bill of materials (CycloneDX) of what is deployed: `npm run --silent sbom > sbom.json`.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLED_FONTS, BUNDLED_LIBRARIES } from './build/bundled-libraries.ts';

interface Package {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

const TIMEOUT_MS = 120_000;
const OPTIONS = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];

const manifest: Package & { name: string } = JSON.parse(await readFile('package.json', 'utf8'));
const lock: { packages: Record<string, Package> } = JSON.parse(await readFile('package-lock.json', 'utf8'));
const root = lock.packages[''];
if (!root) throw new Error('package-lock.json has no root package.');
for (const one of [manifest, root]) {
  // dist/ has parts of these development packages, so --omit=dev would be wrong.
  for (const name of [...Object.values(BUNDLED_LIBRARIES).flat(), ...BUNDLED_FONTS]) {
    const version = one.devDependencies?.[name];
    if (version === undefined) throw new Error(`${name} is no development dependency.`);
    one.dependencies = { ...one.dependencies, [name]: version };
  }
  delete one.devDependencies;
}
const deployed = findDependencies(lock.packages);
lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([path]) => deployed.has(path)));

const scratch = await mkdtemp(join(tmpdir(), 'sbom-'));
try {
  // npm names the component after its folder.
  const folder = join(scratch, manifest.name);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const command = spawnSync('npm', ['sbom', ...OPTIONS], {
    cwd: folder,
    stdio: 'inherit',
    timeout: TIMEOUT_MS,
  });
  process.exitCode = command.status ?? 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** Find the paths of all packages that the root needs, as Node finds them: in its own folder, or in one above. */
function findDependencies(packages: Record<string, Package>): Set<string> {
  const found = new Set(['']);
  for (const path of found) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[path] ?? {};
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const folders =
        path === ''
          ? []
          : path
              .split('/node_modules/')
              .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'));
      const candidates = [
        ...folders.reverse().map((folder) => `${folder}/node_modules/${name}`),
        `node_modules/${name}`,
      ];
      const dependency = candidates.find((candidate) => packages[candidate]);
      if (dependency) found.add(dependency);
    }
  }
  return found;
}
