import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { precompress, readPrecompressed, sendPrecompressed } from '../../platform/http/precompressed.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { getBasePath } from '../../shared/base-path.ts';
import { type Html, html } from '../../shared/html.ts';
import { memoizeFactory } from '../../shared/memoize.ts';
import { createAsyncApiDocument } from './asyncapi-document.ts';
import { addCodeSamples } from './code-samples.ts';

/** Compressed by the build; without it the script of the package is sent. */
const BUILT_SCRIPT = new URL('./scalar.js', import.meta.url);

/** The first request waits for it. */
const DOCUMENT_BROTLI_QUALITY = 9;
const DEVELOPMENT_BROTLI_QUALITY = 5;

/** The OpenAPI document, the page that shows it, and the AsyncAPI document of events. Nothing is loaded from other servers. */
export const apiReferenceRoutes: FastifyPluginAsync<{ publicBaseUrl: string }> = async (
  app,
  { publicBaseUrl },
) => {
  const basePath = getBasePath(publicBaseUrl);
  const getDocument = memoizeFactory(() =>
    precompress(
      Buffer.from(JSON.stringify(addCodeSamples({ ...app.swagger() }, publicBaseUrl))),
      DOCUMENT_BROTLI_QUALITY,
    ),
  );
  const getEventDocument = memoizeFactory(() =>
    precompress(
      Buffer.from(JSON.stringify(createAsyncApiDocument(app.swagger(), publicBaseUrl))),
      DOCUMENT_BROTLI_QUALITY,
    ),
  );
  const getScript = memoizeFactory(loadScript);
  const getPage = memoizeFactory(async () => {
    const { hash } = await getScript();
    const page = createPage(`${basePath}/api/docs`, hash, renderOperationList(app.swagger()));
    return { ...page, content: await precompress(Buffer.from(page.markup), DEVELOPMENT_BROTLI_QUALITY) };
  });
  const options = {
    config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM'), rateLimitClass: 'static' },
    schema: { hide: true },
  } as const;

  app.get('/api/docs/json', options, async (request, reply) => {
    reply.header('Cache-Control', 'public, no-cache').type('application/json; charset=utf-8');
    return sendPrecompressed(request, reply, await getDocument());
  });

  app.get('/api/docs/asyncapi', options, async (request, reply) => {
    reply.header('Cache-Control', 'public, no-cache').type('application/json; charset=utf-8');
    return sendPrecompressed(request, reply, await getEventDocument());
  });

  app.get('/api/docs', options, async (request: FastifyRequest, reply: FastifyReply) => {
    const { contentSecurityPolicy, content } = await getPage();
    reply
      .header('Cache-Control', 'public, no-cache')
      .header('Content-Security-Policy', contentSecurityPolicy)
      .type('text/html; charset=utf-8');
    return sendPrecompressed(request, reply, content);
  });

  app.get('/api/docs/reference.js', options, async (request, reply) => {
    // The page names it with its hash.
    reply
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .type('text/javascript; charset=utf-8');
    return sendPrecompressed(request, reply, await getScript());
  });
};

async function loadScript() {
  try {
    const [br, gzip] = await Promise.all(
      ['br', 'gz'].map((extension) => readFile(new URL(`${BUILT_SCRIPT.href}.${extension}`))),
    );
    if (br && gzip) return await readPrecompressed(br, gzip);
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, 'code') === 'ENOENT')) throw error;
  }
  return precompress(await readFile(getPackageScript()), DEVELOPMENT_BROTLI_QUALITY);
}

function getPackageScript(): URL {
  const main = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return new URL('js/standalone.js', pathToFileURL(main));
}

function createPage(path: string, scriptHash: string, operationList: Html) {
  const script = `Scalar.createApiReference('#reference', ${JSON.stringify({
    url: `${path}/json`,
    theme: 'default',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    // Both lead to a service of the vendor.
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'json',
    authentication: { preferredSecurityScheme: 'bearer' },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients: HIDDEN_CLIENTS,
  })});`;
  // biome-ignore format: markup
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>API reference</title><link rel="icon" href="data:,">
<link rel="preload" as="fetch" crossorigin="anonymous" href="${path}/json">
<style>body{font:1rem/1.5 system-ui,sans-serif;margin:0;color-scheme:light dark}.list{max-width:60rem;margin:2rem auto;padding:0 1rem}.list li{overflow-wrap:anywhere}</style></head>
<body><div id="reference"><div class="list">${operationList}</div></div>
<script src="${path}/reference.js?v=${scriptHash}"></script><script>${{ markup: script }}</script></body></html>
`;
  const contentSecurityPolicy = [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    // The script adds its styles to the page.
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "form-action 'none'",
  ].join('; ');
  return { markup, contentSecurityPolicy };
}

/** What the page shows until its script has run, and without script. */
function renderOperationList(document: object): Html {
  const operations = Object.entries<object>(Reflect.get(document, 'paths') ?? {}).flatMap(([path, methods]) =>
    Object.entries<OperationSummary>({ ...methods }).map(([method, operation]) => ({
      path,
      method,
      ...operation,
    })),
  );
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))];
  return html`<h1>API reference</h1>${tags.map(
    (tag) =>
      html`<h2>${tag}</h2><ul>${operations
        .filter((operation) => operation.tags.includes(tag))
        .map(
          ({ method, path, summary }) =>
            html`<li><code>${method.toUpperCase()} ${path}</code> ${summary}</li>\n`,
        )}</ul>`,
  )}`;
}

interface OperationSummary {
  tags: string[];
  summary: string;
}

/** All but curl, JavaScript and Python. */
const HIDDEN_CLIENTS = {
  ...Object.fromEntries(
    ['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'kotlin', 'objc', 'ocaml', 'php']
      .concat(['powershell', 'r', 'ruby', 'rust', 'swift'])
      .map((language) => [language, true]),
  ),
  shell: ['httpie', 'wget'],
  js: ['axios', 'jquery', 'ofetch', 'xhr'],
  node: ['axios', 'ofetch'],
  python: ['aiohttp', 'httpx_sync', 'httpx_async'],
};
