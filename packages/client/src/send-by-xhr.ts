export interface SendOptions {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | FormData | undefined;
  signal?: AbortSignal | undefined;
}

/** The part of XMLHttpRequest that is used; Node has no types of it. */
interface UploadRequest {
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  responseType: string;
  readonly status: number;
  readonly response: ArrayBuffer;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: string | FormData | null): void;
  abort(): void;
}

export function canSendByXhr(): boolean {
  return typeof Reflect.get(globalThis, 'XMLHttpRequest') === 'function';
}

/** Send a request by XMLHttpRequest: `fetch` does not tell how much of a body was sent. */
export function sendByXhr(
  { method, url, headers, body, signal }: SendOptions,
  onProgress: (progress: { loaded: number; total: number }) => void,
): Promise<Response> {
  const Request = Reflect.get(globalThis, 'XMLHttpRequest') as new () => UploadRequest;
  return new Promise((resolve, reject) => {
    const request = new Request();
    const abort = () => request.abort();
    request.open(method, url);
    request.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total });
    request.onload = () => {
      signal?.removeEventListener('abort', abort);
      resolve(toResponse(request));
    };
    request.onerror = () => {
      signal?.removeEventListener('abort', abort);
      reject(new TypeError('The request failed.'));
    };
    request.onabort = () => reject(signal?.reason ?? new TypeError('The request was aborted.'));
    signal?.addEventListener('abort', abort, { once: true });
    request.send(body ?? null);
  });
}

function toResponse(request: UploadRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const hasBody = request.status !== 204 && request.status !== 304;
  return new Response(hasBody ? request.response : null, { status: request.status, headers });
}
