import { pathToFileURL } from 'node:url';
import { styleText } from 'node:util';

interface TerminalLogOptions {
  output: Pick<NodeJS.WriteStream, 'write' | 'hasColors'>;
  /** Whether lines can be replaced, which simple terminals (TERM=dumb) do not understand. */
  canReplaceLines: boolean;
  /** Print information too, which otherwise only replaces the progress line until `print`. */
  showsInfo: boolean;
}

export interface TerminalLog {
  /** Takes the JSON Lines of the logger. */
  write(line: string): void;
  print(text: string): void;
}

interface LogRecord {
  level: number;
  time: number;
  msg?: string;
  req?: { method?: string; route?: string; path?: string };
  res?: { statusCode?: number };
  err?: { name?: string; code?: string; frames?: string[] };
  [member: string]: unknown;
}

const WARN_LEVEL = 40;
const ERROR_LEVEL = 50;

const OMITTED_MEMBERS = ['level', 'time', 'pid', 'hostname', 'msg', 'requestId', 'req', 'res', 'err'];

const REPLACE_LINE = '\r\u001b[K';

/** Create a log for people: one short line for each warning and error, and one that shows the progress of the start. */
export function createTerminalLog({ output, canReplaceLines, showsInfo }: TerminalLogOptions): TerminalLog {
  let showsProgress = canReplaceLines && !showsInfo;
  let hasProgressLine = false;
  const writeLine = (text: string) => {
    output.write(`${hasProgressLine ? REPLACE_LINE : ''}${text}\n`);
    hasProgressLine = false;
  };
  return {
    write(line) {
      const record: LogRecord = JSON.parse(line);
      if (record.level >= WARN_LEVEL || showsInfo) return writeLine(formatRecord(record, output));
      if (!showsProgress) return;
      output.write(`${REPLACE_LINE}${removeControlCharacters(record.msg ?? '')} …`);
      hasProgressLine = true;
    },
    print(text) {
      showsProgress = false;
      writeLine(text);
    },
  };
}

function formatRecord(record: LogRecord, output: TerminalLogOptions['output']): string {
  const paint: typeof styleText = (format, text) =>
    output.hasColors() ? styleText(format, text, { validateStream: false }) : text;
  const time = new Date(record.time).toTimeString().slice(0, 8);
  const details = listDetails(record).join(' ');
  const message = removeControlCharacters(`${record.msg ?? ''}${details && ` (${details})`}`);
  if (record.level >= ERROR_LEVEL) return `${time} ${paint('red', 'error')} ${message}`;
  return `${time} ${record.level >= WARN_LEVEL ? `${paint('yellow', 'warning')} ` : ''}${message}`;
}

function listDetails({ req, res, err, ...rest }: LogRecord): string[] {
  const others = Object.entries(rest).filter(
    ([name, value]) =>
      !OMITTED_MEMBERS.includes(name) && ['string', 'number', 'boolean'].includes(typeof value),
  );
  return [
    ...(req ? [`${req.method} ${req.route ?? req.path}`] : []),
    ...(res?.statusCode === undefined ? [] : [String(res.statusCode)]),
    ...(err
      ? [
          err.name ?? 'Error',
          ...(err.code ? [err.code] : []),
          ...(err.frames?.slice(0, 1) ?? []).map(shortenPaths),
        ]
      : []),
    ...others.map(([name, value]) => `${name}=${String(value)}`),
  ];
}

function shortenPaths(frame: string): string {
  return frame.replace(`${pathToFileURL(process.cwd()).href}/`, '');
}

/** Names of files and codes of libraries must not move the cursor. */
function removeControlCharacters(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
