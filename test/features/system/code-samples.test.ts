import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import ts from 'typescript';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

interface Operation {
  operationId: string;
  security?: object[];
  requestBody?: {
    content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
}

const { call } = await startTestApp(t);
const { body: document } = await call('GET', '/api/docs/json');
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
);
const getBody = ({ requestBody }: Operation) => {
  const { example, examples = {} } = requestBody?.content['application/json'] ?? {};
  return example ?? Object.values(examples)[0]?.value;
};
const sampled = operations.filter((operation) => operation['x-codeSamples']);

function findSource(operation: Operation, label: string): string {
  return operation['x-codeSamples']?.find((sample) => sample.label === label)?.source ?? '';
}

t.test('every operation with a JSON body has samples, and no other', (t) => {
  const ids = (list: Operation[]) => list.map(({ operationId }) => operationId);
  t.same(ids(sampled), ids(operations.filter((operation) => getBody(operation) !== undefined)));
  t.ok(sampled.length > 60, `${sampled.length} operations`);
  t.end();
});

t.test('a shell passes the example to curl', async (t) => {
  const script = sampled.map((operation) => `${findSource(operation, 'curl')}\nprintf '\\0'`).join('\n');
  const prelude = `curl() { printf '%s\\n' "$@" | base64 | tr -d '\\n'; }\nTOKEN=secret id=42 SCAN_TOKEN=scan CONVERSATION_TOKEN=conversation\n`;
  const { stdout } = await promisify(execFile)('bash', ['-c', prelude + script], { maxBuffer: 1e7 });
  for (const [index, encoded] of stdout.split('\0').slice(0, -1).entries()) {
    const operation = sampled[index];
    if (!operation) break;
    const { operationId, method, path, security = document.security ?? [] } = operation;
    const output = Buffer.from(encoded, 'base64').toString();
    const [, sentMethod, url] = output.split('\n');
    t.equal(sentMethod, method.toUpperCase(), operationId);
    t.equal(url, `https://qr.example.org${path.replace('{id}', '42').replace(/\{\w+\}/g, '')}`, operationId);
    t.same(JSON.parse(output.slice(output.indexOf('\n-d\n') + 4)), getBody(operation), operationId);
    const needsToken = security.length > 0 && security.every((one: object) => Object.keys(one).length > 0);
    t.equal(output.includes('Authorization: Bearer secret'), needsToken, operationId);
    if (operationId === 'conversations.open') t.match(output, /^X-Scan-Token: scan$/m);
    if (path.startsWith('/api/conversations/public/{id}'))
      t.match(output, /^X-Conversation-Token: conversation$/m);
  }
});

t.test('the samples of the client compile', (t) => {
  const calls = sampled.map((operation) => {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
    return `async (${names.join(', ')}) => {\n${findSource(operation, 'Client')}\n};`;
  });
  const file = 'test/features/system/samples.virtual.ts';
  const source = `import type { Client } from '../../../packages/client/src/index.ts';\ndeclare const client: Client;\n${calls.join('\n')}`;
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
    ts.sys,
    '.',
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name.endsWith(file) || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name.endsWith(file)
      ? ts.createSourceFile(name, source, ts.ScriptTarget.Latest)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], { ...options, noEmit: true, noUnusedLocals: false }, host);
  const problems = program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  t.same(problems, []);
  t.end();
});
