import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { sendServicePage } from '../../../platform/http/service-page.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import { html } from '../../../shared/html.ts';
import { MIN_PASSWORD_CHARACTERS } from './password.rules.ts';

/** The token is in the fragment, which browsers do not send to servers. */
const RESET_PAGE_SCRIPT = `
const form = document.querySelector('form'), output = document.querySelector('output');
form.token.value = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
history.replaceState(null, '', location.pathname);
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = JSON.stringify({ token: form.token.value, password: form.password.value });
  const answer = await fetch('reset-password', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const problem = answer.ok ? null : await answer.json();
  output.textContent = problem
    ? [problem.title, ...(problem.errors ?? []).map((error) => error.message)].join(' ')
    : 'Your password was changed. You can now sign in with it.';
  form.hidden = answer.ok;
});`;

export const passwordResetPageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/reset-password',
    { config: { access: PUBLIC_ACCESS, audit: skipAudit('USER') }, schema: { hide: true } },
    async (_request, reply) =>
      sendServicePage(reply, {
        title: 'Choose a new password',
        script: RESET_PAGE_SCRIPT,
        body: html`<h1>Choose a new password</h1>
<form><label for="token">Code from the link in your email</label><input id="token" name="token" required autocomplete="off">
<label for="password">New password</label><input id="password" name="password" type="password" minlength="${MIN_PASSWORD_CHARACTERS}" required autocomplete="new-password">
<button>Change password</button></form><output role="status"></output>
<noscript><p>This form needs JavaScript. Without it, send the token from the link and the new password as JSON to POST /api/auth/reset-password.</p></noscript>`,
      }),
  );
};
