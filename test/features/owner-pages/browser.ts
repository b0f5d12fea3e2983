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

  /** Send a form as it is shown, with these changes; null leaves a field out. */
  async fill(action: string, changes: Record<string, string | null> = {}): Promise<TestResponse> {
    const form = this.readForm(action);
    const fields = Object.entries({ ...form.fields, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    );
    const body = String(new URLSearchParams(fields));
    return this.open(form.action, { method: 'POST', body });
  }

  /** Every field of a form with the value that a browser would send. */
  readForm(action: string): { action: string; fields: Record<string, string> } {
    for (const [, attributes = '', content = ''] of this.page.text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
      const path = readAttribute(attributes, 'action') ?? '';
      if (!path.split('?')[0]?.endsWith(action)) continue;
      const fields = new Map<string, string>();
      for (const [, input = ''] of content.matchAll(/<input([^>]*)>/g)) {
        const name = readAttribute(input, 'name');
        if (name === null || / type="(?:checkbox|radio|file)"/.test(input)) continue;
        fields.set(name, readAttribute(input, 'value') ?? '');
      }
      for (const [, field = '', text = ''] of content.matchAll(/<textarea([^>]*)>\n?(.*?)<\/textarea>/gs))
        fields.set(readAttribute(field, 'name') ?? '', unescapeHtml(text));
      for (const [, field = '', options = ''] of content.matchAll(/<select([^>]*)>(.*?)<\/select>/gs)) {
        const chosen = /<option([^>]*) selected>/.exec(options)?.[1] ?? /<option([^>]*)>/.exec(options)?.[1];
        fields.set(readAttribute(field, 'name') ?? '', readAttribute(chosen ?? '', 'value') ?? '');
      }
      return { action: path, fields: Object.fromEntries(fields) };
    }
    throw new Error(`No form ${action} on ${this.path}: ${this.main}`);
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

function readAttribute(attributes: string, name: string): string | null {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? null : unescapeHtml(value);
}

function unescapeHtml(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}
