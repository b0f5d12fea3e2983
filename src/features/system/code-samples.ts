interface Operation {
  security?: readonly object[];
  requestBody?: {
    content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
}

interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

const METHODS = ['post', 'put', 'patch', 'delete'];

/** Add calls by curl and by the typed client to each operation with a JSON body, made of its first example. */
export function addCodeSamples(document: Record<string, unknown>, baseUrl: string): Record<string, unknown> {
  const usualSecurity = document.security as Operation['security'];
  const toItem = ([path, item]: [string, Record<string, Operation>]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => {
        const body = METHODS.includes(method) ? findBodyExample(operation) : undefined;
        if (body === undefined) return [method, operation];
        const needsToken = isTokenRequired(operation.security ?? usualSecurity);
        const samples: CodeSample[] = [
          { lang: 'Shell', label: 'curl', source: formatCurl(method, baseUrl + path, body, needsToken) },
          { lang: 'TypeScript', label: 'Client', source: formatClientCall(method, path, body) },
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

/** With the token and the parameters of the path in variables. */
function formatCurl(method: string, url: string, body: unknown, needsToken: boolean): string {
  const quotedBody = `'${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`;
  return [
    `curl -X ${method.toUpperCase()} "${url.replace(/\{(\w+)\}/g, '$$$1')}"`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    `-H 'Content-Type: application/json'`,
    `-d ${quotedBody}`,
  ].join(' \\\n  ');
}

function formatClientCall(method: string, path: string, body: unknown): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const json = JSON.stringify(body, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');
  const options = [
    ...(names.length > 0 ? [`path: { ${names.join(', ')} }`] : []),
    `body: ${json.replaceAll('\n', '\n  ')}`,
  ];
  return `await client.${method}('${path}', {\n${options.map((option) => `  ${option},\n`).join('')}});`;
}
