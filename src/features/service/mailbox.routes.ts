import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { PUBLIC, unaudited } from '../../platform/access.ts';
import { sendPage } from '../../platform/http/service-page.ts';
import type { Mailbox } from '../../providers/mail/mailbox.port.ts';
import { plainAddress } from '../../shared/client-address.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';

const OPEN = { access: PUBLIC, audit: unaudited('SYSTEM') };

/** The mailbox of a machine without a mail server, in a browser. Never registered in production. */
export const mailboxRoutes: FastifyPluginAsyncTypebox<{ mailbox: Mailbox }> = async (app, { mailbox }) => {
  // Mails hold one-time codes: with --lan the neighbours must not read them.
  app.addHook('onRequest', async (request) => {
    const address = plainAddress(request.socket.remoteAddress ?? '');
    if (address !== '::1' && !address.startsWith('127.')) throw new ServiceError('NOT_FOUND');
  });

  app.get('/api/sandbox/mailbox', { config: OPEN, schema: { hide: true } }, async (_request, reply) => {
    const mails = await mailbox.list();
    const rows = mails.map(
      (mail) => html`<tr><td>${mail.at?.toISOString()}</td><td>${mail.to}</td>
<td><a href="/api/sandbox/mailbox/${mail.file}">${mail.subject}</a></td></tr>`,
    );
    return sendPage(reply, {
      title: 'Mailbox',
      body: html`<h1>Mailbox</h1><p>No mail server is configured, so mails stay on this machine.</p>
${mails.length > 0 ? html`<table><tr><th>At</th><th>To</th><th>Subject</th></tr>${rows}</table>` : html`<p>No mail yet.</p>`}`,
    });
  });

  app.get(
    '/api/sandbox/mailbox/:file',
    { config: OPEN, schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async (request, reply) => {
      const mail = await mailbox.read(request.params.file);
      if (!mail) throw new ServiceError('NOT_FOUND');
      return sendPage(reply, {
        title: mail.subject,
        body: html`<h1>${mail.subject}</h1><p>To ${mail.to}, from ${mail.from}</p><pre>${mail.text}</pre>
<p><a href="/api/sandbox/mailbox">All mails</a></p>`,
      });
    },
  );
};
