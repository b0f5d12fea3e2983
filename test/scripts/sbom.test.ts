import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { BUNDLED_LIBRARIES } from '../../scripts/build/bundled-libraries.ts';
import { t } from '../tap.ts';

interface Component {
  name: string;
  version: string;
  hashes?: unknown[];
}

t.test('the software bill of materials has what is deployed, and nothing for development', async (t) => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'sbom'], {
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 100 * 1024 * 1024,
  });
  t.equal(status, 0, stderr);
  const { bomFormat, metadata, components } = JSON.parse(stdout) as {
    bomFormat: string;
    metadata: { component: Component };
    components: Component[];
  };
  t.equal(bomFormat, 'CycloneDX');
  const { name, version, dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  t.match(metadata.component, { name, version });
  const bundled = Object.values(BUNDLED_LIBRARIES).flat();
  const all = { ...devDependencies, ...dependencies };
  for (const name of [...Object.keys(dependencies), ...bundled])
    t.ok(
      components.some((one) => one.name === name && one.version === all[name]),
      name,
    );
  const unexpected = Object.keys(devDependencies).filter((name) => !bundled.includes(name));
  for (const name of ['esbuild', 'prisma', 'tap', 'tsx', 'typescript']) {
    t.ok(unexpected.includes(name));
    t.notOk(
      components.some((one) => one.name === name),
      name,
    );
  }
  t.same(
    components.filter(({ hashes }) => !hashes),
    [],
  );
});
