export interface Manifest {
  name: string;
  version: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
  allowScripts: Record<string, boolean>;
  overrides: Record<string, unknown>;
}

interface LockedPackage {
  dev?: boolean;
  /** A link into packages/; its flags are at the folder, `resolved`. */
  link?: boolean;
  resolved?: string;
  devDependencies?: Record<string, string>;
}

export interface Lock {
  name: string;
  packages: Record<string, LockedPackage>;
}

/** List the paths that `npm ci --omit=dev` installs. It installs a development package that is also optional for another. */
export function listProductionPaths({ packages }: Lock): string[] {
  return Object.keys(packages).filter((path) => {
    if (!path.includes('node_modules/')) return false;
    const { link, resolved = '' } = packages[path] ?? {};
    return !packages[link ? resolved : path]?.dev;
  });
}

/** Remove what needs development packages: their names, and the scripts that do not run dist/. */
export function toProductionManifest(manifest: Manifest, lock: Lock): Manifest {
  const installed = new Set(listProductionPaths(lock).map(toPackageName));
  const { devDependencies: _unused, ...rest } = manifest;
  return {
    ...rest,
    scripts: pick(manifest.scripts, (_name, command) => command.includes('scripts/run-built.mjs')),
    allowScripts: pick(manifest.allowScripts, (name) => installed.has(name)),
    // An override of a missing package can refer to a development dependency, which npm refuses.
    overrides: pick(manifest.overrides, (name) => installed.has(name)),
  };
}

export function toProductionLock(lock: Lock): Lock {
  const { devDependencies: _unused, ...root } = lock.packages[''] ?? {};
  const paths = listProductionPaths(lock);
  const packages = Object.fromEntries(paths.map((path) => [path, lock.packages[path] ?? {}]));
  return { ...lock, packages: { '': root, ...packages } };
}

export function toPackageName(path: string): string {
  return path.split('node_modules/').at(-1) ?? '';
}

function pick<Value>(
  record: Record<string, Value>,
  isKept: (name: string, value: Value) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => isKept(name, value)));
}
