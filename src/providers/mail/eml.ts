export interface ParsedMail {
  to: string;
  from: string;
  subject: string;
  at: Date | null;
  text: string;
  html: string;
}

interface MimePart {
  headers: Map<string, string>;
  body: string;
}

/** Parse only mails that this service composes (RFC 5322, 2045 to 2047); `source` is latin1. */
export function parseEml(source: string): ParsedMail {
  const message = parseMimePart(source.replace(/\r\n/g, '\n'));
  const header = (name: string) => decodeEncodedWords(message.headers.get(name) ?? '');
  const at = new Date(header('date'));
  const parts = getAlternatives(message);
  const bodyOf = (type: string) => parts.find((part) => getContentType(part).startsWith(type));
  return {
    to: header('to'),
    from: header('from'),
    subject: header('subject'),
    at: Number.isNaN(at.getTime()) ? null : at,
    text: decodeBody(bodyOf('text/plain')),
    html: decodeBody(bodyOf('text/html')),
  };
}

function parseMimePart(source: string): MimePart {
  const end = source.indexOf('\n\n');
  const head = end < 0 ? source : source.slice(0, end);
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, Math.max(colon, 0)).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: end < 0 ? '' : source.slice(end + 2) };
}

function getAlternatives(message: MimePart): MimePart[] {
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(getContentType(message))?.[1];
  if (!boundary) return [message];
  const sections = `\n${message.body}`.split(`\n--${boundary}`);
  return sections.slice(1, -1).map((section) => parseMimePart(section.replace(/^\n/, '')));
}

function getContentType(part: MimePart): string {
  return part.headers.get('content-type') ?? 'text/plain';
}

function decodeBody(part: MimePart | undefined): string {
  if (!part) return '';
  const encoding = part.headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(part.body, 'base64').toString('utf8');
  const bytes =
    encoding === 'quoted-printable' ? decodeQuotedPrintable(part.body.replace(/=[ \t]*\n/g, '')) : part.body;
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** RFC 2047: white space between two encoded words is dropped. */
function decodeEncodedWords(text: string): string {
  const joined = text.replace(/(\?=)\s+(?==\?)/g, '$1');
  return joined.replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_word, encoding: string, content: string) => {
    const bytes =
      encoding.toLowerCase() === 'b' ? atob(content) : decodeQuotedPrintable(content.replace(/_/g, ' '));
    return Buffer.from(bytes, 'latin1').toString('utf8');
  });
}

function decodeQuotedPrintable(text: string): string {
  return text.replace(/=([0-9A-F]{2})/gi, (_code, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
