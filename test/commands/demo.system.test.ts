import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../src/start/free-port.ts';
import { wordsToRun } from '../compiled.ts';
import { startService } from '../process/service-process.ts';
import { scratchFolder } from '../scratch.ts';
import { t } from '../tap.ts';

t.test('The demo ends without a complaint when nobody reads on', async (t) => {
  const dataDir = await scratchFolder(t);
  const port = await freePort();
  const service = startService(t, { dataDir, port });
  await service.ready();
  const { PATH, HOME } = process.env;
  const demo = spawn(process.execPath, wordsToRun('src/commands/demo.ts'), {
    env: { PATH, HOME, DATA_DIR: dataDir, UPLOADS_DIR: join(dataDir, 'uploads'), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  demo.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  await once(demo.stdout, 'data');
  demo.stdout.destroy();
  const [code] = await once(demo, 'close');
  t.equal(errors, '');
  t.equal(code, 1);
});
