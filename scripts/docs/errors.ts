import { STATUS_CODES } from 'node:http';
import { ERRORS } from '../../src/catalogue.ts';
import { code, formatDocument, formatTable } from './markdown.ts';

const INTRODUCTION = `
Every error is a problem document (RFC 9457) with the content type \`application/problem+json\`:

\`\`\`json
{
  "type": "/api/docs/errors/RATE_LIMITED",
  "title": "${ERRORS.RATE_LIMITED.title}",
  "status": 429,
  "detail": "…",
  "code": "RATE_LIMITED",
  "requestId": "…"
}
\`\`\`

- Branch on \`code\`. Status, title and meaning of a code do not depend on the request.
- \`type\` is the address of a page that explains the code.
- "Retry" marks errors after which the same request may succeed later without a change. Wait for \`Retry-After\` where it is present.
`;

/** Format docs/reference/errors.md: every error code by status. */
export function formatErrors(): string {
  const errors = Object.entries(ERRORS);
  const statuses = [...new Set(errors.map(([, { status }]) => status))].sort((one, other) => one - other);
  const sections = statuses.map((status) => {
    const rows = errors
      .filter(([, error]) => error.status === status)
      .map(([name, { title, meaning, retry }]) => [code(name), title, meaning, retry ? 'yes' : '']);
    const head = ['code', 'title', 'meaning', 'retry'];
    return `## ${status} ${STATUS_CODES[status] ?? ''}\n\n${formatTable(head, rows)}`;
  });
  return formatDocument('Error codes', INTRODUCTION, ...sections);
}
