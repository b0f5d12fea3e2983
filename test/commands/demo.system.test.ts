import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { startService } from '../process/service-process.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { getNodeArguments } from '../transpiled-scripts.ts';

t.test('the demo ends without an error when its output is closed', async (t) => {
  const dataDir = await createScratchFolder(t);
  const port = await findFreePort();
  const service = startService(t, { dataDir, port });
  await service.ready();
  const { PATH, HOME } = process.env;
  const demo = spawn(process.execPath, getNodeArguments('src/commands/demo.ts'), {
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
