import { stripVTControlCharacters } from 'node:util';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { startService, TERMINAL_SKIP_REASON } from './service-process.ts';

const MAX_LINES = 9;

// One data folder for both starts.
const dataDir = await createScratchFolder(t);

t.test(
  'a first start on a terminal is a few lines that say where to go',
  { skip: TERMINAL_SKIP_REASON },
  async (t) => {
    const port = await findFreePort();
    const environment = { TERM: 'xterm-256color' };
    const service = startService(t, { dataDir, port, environment, isOnTerminal: true });
    await service.ready();
    await service.written(/npm run demo/);
    for (const path of ['/', '/api/none']) await fetch(service.base + path);
    service.child.stdin?.write('\u0003');
    t.equal(await service.ended, 0);
    t.match(service.output(), 'Stopping …');
    const isReplaced = service
      .output()
      .includes('creating the database, at the first start only …\r\u001b[Kstarting the database');
    t.ok(isReplaced, service.output());
    const lines = service
      .output()
      .trimEnd()
      .split('\r\n')
      .map((line) => stripVTControlCharacters(line.slice(line.lastIndexOf('\r') + 1)))
      // A busy machine has some.
      .filter((line) => !line.includes('slow statement'));
    t.ok(lines.length <= MAX_LINES, lines.join('\n'));
    t.notMatch(lines.join('\n'), /[{}"]/, 'no JSON');
    for (const text of [service.base, `${service.base}/api/docs`, `${service.base}/api/sandbox/mailbox`])
      t.ok(
        lines.some((line) => line.endsWith(` ${text}`)),
        text,
      );
    t.match(service.output(), /email, payments \(http:\S+\), sign-in with Google/);
  },
);

t.test(
  'LOG_LEVEL prints requests on a terminal, in a line each',
  { skip: TERMINAL_SKIP_REASON },
  async (t) => {
    const environment = { TERM: 'dumb', LOG_LEVEL: 'info' };
    const service = startService(t, { dataDir, port: await findFreePort(), environment, isOnTerminal: true });
    await service.ready();
    await service.written(/\d\d:\d\d:\d\d request completed \(GET \/api\/health\/ready 200 ms=\d+\)/);
    for (const text of ['{', '\u001b']) t.notOk(service.output().includes(text), text);
  },
);
