import type { TestApp, TestResponse } from '../../helper.ts';

/** A browser without scripts: it has cookies, follows redirects, and sends the forms of pages. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  /** Address of the page that is shown. */
  path = '';
  page: TestResponse = { status: 0, headers: {}, text: '', body: undefined };

  private readonly test: Pick<TestApp, 'call'>;

  constructor(test: Pick<TestApp, 'call'>) {
    this.test = test;
  }

  /** Open a page; what it redirects to is the page that is shown. */
  async open(
    path: string,
    options: { method?: string; body?: string | Buffer; type?: string } = {},
  ): Promise<TestResponse> {
    const { method = 'GET', body, type = 'application/x-www-form-urlencoded' } = options;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    this.page = await this.test.call(method, path, {
      body,
      headers: {
        accept: 'text/html',
        ...(cookie && { cookie }),
        ...(body !== undefined && { 'content-type': type }),
        'sec-fetch-site': 'same-origin',
      },
    });
    this.path = path;
    for (const line of [this.page.headers['set-cookie'] ?? []].flat().map(String)) this.setCookie(line);
    const { location } = this.page.headers;
    if (this.page.status !== 302 && this.page.status !== 303) return this.page;
    const next = String(location).replace('https://qr.example.org', '');
    return next.startsWith('/') ? this.open(next) : this.page;
  }

  /** Send the form of the page whose action ends like this, with its hidden fields and these. */
  async send(action: string, fields: Record<string, string> = {}): Promise<TestResponse> {
    const form = this.findForm(action);
    if (!form) throw new Error(`No form ${action} on ${this.path}: ${this.main}`);
    const body = String(new URLSearchParams({ ...form.hidden, ...fields }));
    return this.open(form.action, { method: 'POST', body });
  }

  findForm(action: string): { action: string; hidden: Record<string, string> } | null {
    for (const [, attributes = '', content = ''] of this.page.text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
      const path = unescapeHtml(/action="([^"]*)"/.exec(attributes)?.[1] ?? '');
      if (!path.split('?')[0]?.endsWith(action)) continue;
      const inputs = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
      const hidden = inputs.map(([, name = '', value = '']) => [name, unescapeHtml(value)]);
      return { action: path, hidden: Object.fromEntries(hidden) };
    }
    return null;
  }

  /** What the page shows, without its frame. */
  get main(): string {
    return unescapeHtml(/<main>(.*)<\/main>/s.exec(this.page.text)?.[1] ?? this.page.text);
  }

  /** Title of the page that is shown. */
  get title(): string {
    return unescapeHtml(/<h1[^>]*>(.*?)<\/h1>/s.exec(this.page.text)?.[1] ?? '');
  }

  private setCookie(line: string): void {
    const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
    if (/Max-Age=0\b/.test(attributes)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

function unescapeHtml(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}
