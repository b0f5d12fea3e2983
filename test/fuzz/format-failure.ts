import type { EncodedRequest } from './request.ts';
import type { RequestPlan } from './request-plan.ts';
import type { UploadPlan } from './uploads.ts';

const MAX_PLAN_CHARACTERS = 3_000;

/** Format a failure: what was wrong, the plan, the request as a shell command, and how to repeat it. */
export function formatFailure(failure: {
  operation: string;
  faults: string[];
  plan: RequestPlan | UploadPlan;
  request: EncodedRequest;
  repeat: string;
  host: string;
}): string {
  const { operation, faults, plan, request, repeat, host } = failure;
  const title =
    'kind' in plan ? [plan.kind, plan.change].filter(Boolean).join(': ') : `an upload: ${plan.defect}`;
  const { actor } = 'kind' in plan ? plan : plan.plan;
  const text = JSON.stringify(plan);
  return [
    `FAILED ${operation} (${title}) as ${actor}`,
    ...faults.map((fault) => `  ${fault}`),
    `  plan: ${text.length > MAX_PLAN_CHARACTERS ? `${text.slice(0, MAX_PLAN_CHARACTERS)}…` : text}`,
    `  request: ${formatShellCommand(request.bytes, host)}`,
    `  repeat: ${repeat}`,
  ].join('\n');
}

/** Format a shell command that sends these bytes: curl if it preserves them. */
export function formatShellCommand(bytes: Buffer, host: string): string {
  const text = bytes.toString('latin1');
  const [, method, path, fields = '', body = ''] =
    /^([A-Z]+) (\/\S*) HTTP\/1\.1\r\n([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text) ?? [];
  const isPlain = /^[\r\n\x20-\x7e]*$/.test(text) && method !== undefined && !/\r\n[ \t:]/.test(fields);
  if (!isPlain) {
    const [name, port] = host.split(':');
    const encoded = bytes.subarray(0, 20_000).toString('base64');
    const truncationNote = bytes.length > 20_000 ? ` # the first 20,000 of ${bytes.length} bytes` : '';
    return `echo ${encoded} | base64 -d | nc ${name} ${port}${truncationNote}`;
  }
  const headers = fields
    .split('\r\n')
    .filter((line) => !/^(host|content-length):/i.test(line))
    .map((line) => `-H ${quoteShell(line)}`);
  const data = body === '' ? [] : [`--data-binary ${quoteShell(body.slice(0, 20_000))}`];
  return ['curl -s -i', `-X ${method}`, quoteShell(`http://${host}${path}`), ...headers, ...data].join(' ');
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
