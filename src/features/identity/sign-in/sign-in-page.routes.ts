import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { sendServicePage } from '../../../platform/http/service-page.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import { html } from '../../../shared/html.ts';
import { SIGN_IN_ERROR_MESSAGES } from './sign-in-errors.ts';

/** The code is in the fragment, which browsers do not send to servers. It is exchanged only after a click. */
const SIGN_IN_PAGE_SCRIPT = `
const messages = ${JSON.stringify(SIGN_IN_ERROR_MESSAGES)};
const params = new URLSearchParams(location.hash.slice(1));
const form = document.querySelector('form'), output = document.querySelector('output');
history.replaceState(null, '', location.pathname);
form.code.value = params.get('code') ?? '';
form.hidden = !params.has('code');
if (!params.has('code')) output.textContent = Object.hasOwn(messages, params.get('error')) ? messages[params.get('error')] : messages.sign_in_failed;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = JSON.stringify({ code: form.code.value });
  const answer = await fetch('google/exchange', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const result = await answer.json();
  if (!answer.ok) output.textContent = result.title;
  else if (result.mfaRequired) output.textContent = 'Second factor required: POST /api/auth/mfa/verify with a code and this mfaToken: ' + result.mfaToken;
  else output.textContent = 'Signed in as ' + result.user?.email + '. Access token: ' + result.accessToken;
  form.hidden = true;
});`;

export const signInPageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/sign-in',
    { config: { access: PUBLIC_ACCESS, audit: skipAudit('USER') }, schema: { hide: true } },
    async (_request, reply) =>
      sendServicePage(reply, {
        title: 'Sign in',
        script: SIGN_IN_PAGE_SCRIPT,
        body: html`<h1>Sign in</h1><p>No web application is configured, so the service shows this page.</p>
<form><label for="code">One-time code</label><input id="code" name="code" required autocomplete="off">
<button>Get the tokens</button></form><output role="status"></output>
<noscript><p>Without JavaScript, start with a codeChallenge and send the code, which follows #code= in the address, with its codeVerifier as JSON to POST /api/auth/google/exchange.</p></noscript>`,
      }),
  );
};
