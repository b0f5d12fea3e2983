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
  t.equal(await transfer(20 * MIB), 'SAME');
  const before = process.memoryUsage.rss();
  let highest = before;
  const timer = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 5);
  t.equal(await transfer(300 * MIB), 'SAME');
  clearInterval(timer);
  const grown = Math.round((highest - before) / MIB);
  t.comment(`${grown} MB`);
  t.ok(grown < 60, `${grown} MB`);
});
