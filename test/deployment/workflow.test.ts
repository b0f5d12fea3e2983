import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { t } from '../tap.ts';

const { engines } = JSON.parse(await readFile('package.json', 'utf8')) as { engines: { node: string } };
const dockerfile = await readFile('Dockerfile', 'utf8');
const imageVersion = /^FROM node:(\d+)/m.exec(dockerfile)?.[1];
const { jobs } = parse(await readFile('.github/workflows/ci.yml', 'utf8'));

t.test(
  'the workflow runs .ci/run on the oldest supported Node and on the version of the image',
  async (t) => {
    t.same(jobs.test.strategy.matrix.node, [engines.node.replace('>=', ''), imageVersion]);
    t.equal(jobs.test.steps.at(-1).run, '.ci/run');
  },
);

t.test('the Node version for contributors is the version of the image', async (t) => {
  t.equal((await readFile('.nvmrc', 'utf8')).trim(), imageVersion);
});
