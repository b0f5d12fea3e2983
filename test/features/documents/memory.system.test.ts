import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startTestApp } from '../../helper.ts';
import { listenOnFreePort } from '../../platform/http/helper.ts';
import { t } from '../../tap.ts';
import { getNodeArguments, getSiblingScriptPath } from '../../transpiled-scripts.ts';

const MIB = 1024 * 1024;

t.test('a document of 300 MB is uploaded and downloaded within 60 MB of memory', async (t) => {
  const test = await startTestApp(t, { BILLING: 'off' });
  const { accessToken } = await test.createUser();
  const port = await listenOnFreePort(test.app);
  const client = getSiblingScriptPath(import.meta.url, 'large-transfer');
  const transfer = async (bytes: number) => {
    const words = [...getNodeArguments(client), String(port), accessToken, String(bytes)];
    return (await promisify(execFile)(process.execPath, words)).stdout.trim();
  };
  t.equal(await transfer(50 * MIB), 'SAME');
  // Content is in buffers. The reserve of the heap varies with everything else that a test does.
  const before = process.memoryUsage().arrayBuffers;
  let highest = before;
  const timer = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().arrayBuffers);
  }, 5);
  t.equal(await transfer(300 * MIB), 'SAME');
  clearInterval(timer);
  t.ok(highest - before < 60 * MIB, `${(highest - before) / MIB} MiB`);
});
