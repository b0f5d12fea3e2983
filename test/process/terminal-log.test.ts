import { createTerminalLog } from '../../src/process/terminal-log.ts';
import { t } from '../tap.ts';

const TIME = new Date(2026, 6, 1, 9, 5, 7).getTime();
const COMMON = { time: TIME, pid: 7, hostname: 'app', requestId: 'a' };

function start(options: { hasColors?: boolean; showsInfo?: boolean; canReplaceLines?: boolean } = {}) {
  const { hasColors = false, showsInfo = false, canReplaceLines = false } = options;
  let text = '';
  const write = (added: string) => {
    text += added;
    return true;
  };
  const log = createTerminalLog({
    output: { write, hasColors: () => hasColors },
    canReplaceLines,
    showsInfo,
  });
  return {
    print: log.print,
    write: (record: object) => log.write(`${JSON.stringify({ ...COMMON, ...record })}\n`),
    output: () => text,
  };
}

t.test('warnings and errors are one short line each, without JSON', async (t) => {
  const { write, output } = start();
  write({ level: 40, msg: 'CLAMD_URL is not reachable', attempts: 2 });
  write({
    level: 50,
    msg: 'request failed',
    req: { method: 'GET', route: '/api/scans' },
    res: { statusCode: 500 },
    ms: 12,
    err: {
      name: 'TypeError',
      code: 'ERR_X',
      frames: [`at f (file://${process.cwd()}/src/a.ts:1:2)`, 'at g (b.ts)'],
    },
  });
  t.equal(
    output(),
    '09:05:07 warning CLAMD_URL is not reachable (attempts=2)\n' +
      '09:05:07 error request failed (GET /api/scans 500 TypeError ERR_X at f (src/a.ts:1:2) ms=12)\n',
  );
});

t.test('colors are used only if the terminal has them, and control characters never', async (t) => {
  const colored = start({ hasColors: true });
  colored.write({ level: 40, msg: 'a\u001b[2J\nb' });
  t.equal(colored.output(), '09:05:07 \u001b[33mwarning\u001b[39m a [2J b\n');
});

t.test('information replaces the progress line until the start is over', async (t) => {
  const { write, print, output } = start({ canReplaceLines: true });
  write({ level: 30, msg: 'starting the database' });
  write({ level: 30, msg: 'loading the API' });
  write({ level: 40, msg: 'careful' });
  print('ready');
  write({ level: 30, msg: 'request completed' });
  t.equal(
    output(),
    '\r\u001b[Kstarting the database …\r\u001b[Kloading the API …\r\u001b[K09:05:07 warning careful\nready\n',
  );
  const simple = start();
  simple.write({ level: 30, msg: 'starting the database' });
  simple.print('ready');
  t.equal(simple.output(), 'ready\n', 'a simple terminal shows no progress');
});

t.test('information is printed if it was asked for', async (t) => {
  const { write, output } = start({ canReplaceLines: true, showsInfo: true });
  write({
    level: 30,
    msg: 'request completed',
    req: { method: 'GET', path: '/…' },
    res: { statusCode: 404 },
  });
  t.equal(output(), '09:05:07 request completed (GET /… 404)\n');
});
