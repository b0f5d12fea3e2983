import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { sendServicePage } from '../../platform/http/service-page.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import type { DevelopmentMailbox } from '../../providers/mail/mailbox.port.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import { isLocalRequest } from './local-request.ts';

const PUBLIC_ROUTE = { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') };

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
        (mail) => html`<tr><td>${mail.at?.toISOString()}</td><td>${mail.to}</td>
<td dir="auto"><a href="/api/sandbox/mailbox/${mail.file}">${mail.subject}</a></td></tr>`,
      );
      return sendServicePage(reply, {
        title: 'Mailbox',
        body: html`<h1>Mailbox</h1><p>No mail server is configured, so mails stay on this machine.</p>
${mails.length > 0 ? html`<table><tr><th>At</th><th>To</th><th>Subject</th></tr>${rows}</table>` : html`<p>No mail yet.</p>`}`,
      });
    },
  );

  app.get(
    '/api/sandbox/mailbox/:file',
    { config: PUBLIC_ROUTE, schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async (request, reply) => {
      const mail = await mailbox.read(request.params.file);
      if (!mail) throw new ServiceError('NOT_FOUND');
      return sendServicePage(reply, {
        title: mail.subject,
        body: html`<h1 dir="auto">${mail.subject}</h1><p>To ${mail.to}, from ${mail.from}</p><pre dir="auto">${mail.text}</pre>
<p><a href="/api/sandbox/mailbox">All mails</a></p>`,
      });
    },
  );
};
