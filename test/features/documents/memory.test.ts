import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { scriptBeside, wordsToRun } from '../../compiled.ts';
import { startApp } from '../../helper.ts';
import { listen } from '../../platform/http/helper.ts';

const MIB = 1024 * 1024;

t.test('F3 a document of 300 MB goes in and out within 60 MB of memory', async (t) => {
  const test = await startApp(t, { BILLING: 'off' });
  const { accessToken } = await test.person();
  const port = await listen(test.app);
  const client = scriptBeside(import.meta.url, 'large-transfer');
  const transfer = async (bytes: number) => {
    const words = [...wordsToRun(client), String(port), accessToken, String(bytes)];
    return (await promisify(execFile)(process.execPath, words)).stdout.trim();
  };
  // What is loaded with the first use, and what the heap keeps in reserve, is none of a document's.
  for (const _ of [1, 2]) t.equal(await transfer(50 * MIB), 'SAME');
  const before = process.memoryUsage();
  let highest = before;
  const timer = setInterval(() => {
    const now = process.memoryUsage();
    if (now.rss > highest.rss) highest = now;
  }, 5);
  t.equal(await transfer(300 * MIB), 'SAME');
  clearInterval(timer);
  t.ok(highest.rss - before.rss < 60 * MIB, JSON.stringify({ before, highest }));
});
