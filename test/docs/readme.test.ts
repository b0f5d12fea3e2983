import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_API_CALLS } from '../../src/commands/demo-calls.ts';
import { t } from '../tap.ts';
import { listMarkdownFiles, parseCodeBlocks } from './markdown.ts';

const MAX_README_BYTES = 8 * 1024;
const MAX_IMAGE_BYTES = 150 * 1024;
const IMAGES = 'docs/images';

t.test('the README is short', async (t) => {
  const { size } = await stat('README.md');
  t.ok(size <= MAX_README_BYTES, `${size} of ${MAX_README_BYTES} bytes`);
});

t.test('pictures are small', async (t) => {
  for (const name of await readdir(IMAGES)) {
    const { size } = await stat(join(IMAGES, name));
    t.ok(size <= MAX_IMAGE_BYTES, `${name}: ${size} of ${MAX_IMAGE_BYTES} bytes`);
  }
});

t.test('git ignores the files that the commands of the guides write', async (t) => {
  const ignored = (await readFile('.gitignore', 'utf8')).split('\n');
  for (const file of ['README.md', ...(await listMarkdownFiles('docs/guides'))])
    for (const { code } of parseCodeBlocks(await readFile(file, 'utf8')))
      for (const [, name = ''] of code.matchAll(/(?: >| -o| tee) (\w+\.\w+)/g))
        t.ok(ignored.includes(`/${name}`), `${file}: ${name}`);
});

t.test('the getting-started guide has every call of `npm run demo`', async (t) => {
  const guide = await readFile('docs/guides/getting-started.md', 'utf8');
  const commands = parseCodeBlocks(guide)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code)
    .join('\n');
  const shell: Record<string, string> = { email: 'ada@example.org', otp: "'$OTP'", id: "'$ID'" };
  for (const call of DEMO_API_CALLS) {
    t.ok(commands.includes(`$BASE${call.path}`), `${call.method} ${call.path}`);
    if (!call.body) continue;
    const body = JSON.stringify(call.body).replace(/\{(email|otp|id)\}/g, (_all, name) => shell[name] ?? '');
    t.ok(commands.includes(`-d '${body}'`), body);
  }
});
