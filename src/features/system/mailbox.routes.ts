import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { sendServicePage } from '../../platform/http/service-page.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import type { DevelopmentMailbox } from '../../providers/mail/mailbox.port.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import { isLocalRequest } from './local-request.ts';

const PUBLIC_ROUTE = { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') };
const FILE_PARAMS = Type.Object({ file: Type.String() });

/** Mails have inline styles and the logo of the operator; they need no script and no form. */
const MAIL_HTML_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** In the time zone of this machine: only requests from it are answered. */
const DATE_FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** Routes to read the local mailbox in a browser. Never registered in production. */
export const localMailboxRoutes: FastifyPluginAsyncTypebox<{ mailbox: DevelopmentMailbox }> = async (
  app,
  { mailbox },
) => {
  // Mails contain one-time codes: with --lan other machines must not read them, nor may pages of other
  // origins or DNS rebinding in a local browser.
  app.addHook('onRequest', async (request, reply) => {
    if (!isLocalRequest(request)) throw new ServiceError('NOT_FOUND');
    reply.removeHeader('access-control-allow-origin');
  });

  app.get(
    '/api/sandbox/mailbox',
    { config: PUBLIC_ROUTE, schema: { hide: true } },
    async (_request, reply) => {
      const mails = await mailbox.list();
      const rows = mails.map(
        (mail) => html`<tr><td dir="auto"><a href="/api/sandbox/mailbox/${mail.file}">${mail.subject}</a></td>
<td>${mail.to}</td><td>${renderDate(mail.at)}</td></tr>`,
      );
      return sendServicePage(reply, {
        title: 'Mailbox',
        body: html`<h1>Mailbox</h1><p>No mail server is configured, so emails stay on this machine.</p>
${mails.length > 0 ? html`<table class="stacked"><tr><th>Subject</th><th>To</th><th>Sent</th></tr>${rows}</table>` : html`<p>No emails yet.</p>`}`,
      });
    },
  );

  app.get(
    '/api/sandbox/mailbox/:file',
    { config: PUBLIC_ROUTE, schema: { hide: true, params: FILE_PARAMS } },
    async (request, reply) => {
      const mail = await mailbox.read(request.params.file);
      if (!mail) throw new ServiceError('NOT_FOUND');
      return sendServicePage(reply, {
        title: mail.subject,
        body: html`<h1 dir="auto">${mail.subject}</h1><p>To ${mail.to}, from ${mail.from}, ${renderDate(mail.at)}</p>
<p><a href="/api/sandbox/mailbox/${mail.file}/html">As HTML</a></p><pre dir="auto">${linkAddresses(mail.text)}</pre>
<p><a href="/api/sandbox/mailbox">All mails</a></p>`,
      });
    },
  );

  app.get(
    '/api/sandbox/mailbox/:file/html',
    { config: PUBLIC_ROUTE, schema: { hide: true, params: FILE_PARAMS } },
    async (request, reply) => {
      const mail = await mailbox.read(request.params.file);
      if (!mail) throw new ServiceError('NOT_FOUND');
      return reply
        .header('Content-Security-Policy', MAIL_HTML_POLICY)
        .type('text/html; charset=utf-8')
        .send(mail.html);
    },
  );
};

function renderDate(at: Date | null): Html | null {
  return at && html`<time datetime="${at.toISOString()}">${DATE_FORMAT.format(at)}</time>`;
}

function linkAddresses(text: string): Html[] {
  return text
    .split(/(https?:\/\/[!#-&(-;=?-~]{1,2000}[\w/=&%-])/)
    .map((part, index) =>
      index % 2 === 0 ? html`${part}` : html`<a href="${part}" rel="noopener noreferrer">${part}</a>`,
    );
}
