interface Parameter {
  in: string;
  name: string;
}

interface Operation {
  parameters?: readonly (Parameter | { $ref: string })[];
  security?: readonly object[];
  requestBody?: {
    content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
}

const METHODS = ['post', 'put', 'patch', 'delete'];

/** Add calls by curl and by the typed client to each operation with a JSON body, made of its first example. */
export function addCodeSamples(document: Record<string, unknown>, baseUrl: string): Record<string, unknown> {
  const shared: Record<string, Parameter> = Object(Object(document.components).parameters);
  const usualSecurity = document.security as Operation['security'];
  const toItem = ([path, item]: [string, Record<string, Operation>]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => {
        const body = METHODS.includes(method) ? findBodyExample(operation) : undefined;
        if (body === undefined) return [method, operation];
        const needsToken = isTokenRequired(operation.security ?? usualSecurity);
        const headers = [...(needsToken ? ['Authorization'] : []), ...listTokenHeaders(operation, shared)];
        const samples = [
          { lang: 'Shell', label: 'curl', source: formatCurl(method, baseUrl + path, body, headers) },
          { lang: 'TypeScript', label: 'Client', source: formatClientCall(method, path, body, headers) },
        ];
        return [method, { ...operation, 'x-codeSamples': samples }];
      }),
    ),
  ];
  const paths = Object.entries<Record<string, Operation>>(Object(document.paths));
  return { ...document, paths: Object.fromEntries(paths.map(toItem)) };
}

function findBodyExample({ requestBody }: Operation): unknown {
  const { example, examples = {} } = requestBody?.content['application/json'] ?? {};
  return example ?? Object.values(examples)[0]?.value;
}

/** An empty requirement is a call without a credential. */
function isTokenRequired(security: Operation['security'] = []): boolean {
  return security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0);
}

/** Such as `X-Scan-Token`. */
function listTokenHeaders({ parameters = [] }: Operation, shared: Record<string, Parameter>): string[] {
  return parameters
    .map((one) => ('$ref' in one ? shared[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)] : one))
    .flatMap((one) => (one?.in === 'header' && one.name.endsWith('-Token') ? [one.name] : []));
}

/** The variable that has the token of a header: SCAN_TOKEN for `X-Scan-Token`. */
function toVariable(header: string): string {
  return header === 'Authorization' ? 'TOKEN' : header.slice('X-'.length).replaceAll('-', '_').toUpperCase();
}

/** With tokens and the parameters of the path in variables. */
function formatCurl(method: string, url: string, body: unknown, headers: string[]): string {
  const quotedBody = `'${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`;
  return [
    `curl -X ${method.toUpperCase()} "${url.replace(/\{(\w+)\}/g, '$$$1')}"`,
    ...headers.map(
      (name) => `-H "${name}: ${name === 'Authorization' ? 'Bearer ' : ''}$${toVariable(name)}"`,
    ),
    `-H 'Content-Type: application/json'`,
    `-d ${quotedBody}`,
  ].join(' \\\n  ');
}

/** A client sends its access token itself. */
function formatClientCall(method: string, path: string, body: unknown, headers: string[]): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const json = JSON.stringify(body, null, 2).replace(/^( {0,80})"([A-Za-z_]\w{0,80})":/gm, '$1$2:');
  const options = [
    ...(names.length > 0 ? [`path: { ${names.join(', ')} }`] : []),
    ...headers
      .filter((name) => name !== 'Authorization')
      .map((name) => `headers: { '${name}': process.env.${toVariable(name)} ?? '' }`),
    `body: ${json.replaceAll('\n', '\n  ')}`,
  ];
  return `await client.${method}('${path}', {\n${options.map((option) => `  ${option},\n`).join('')}});`;
}
