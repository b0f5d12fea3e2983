import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { sendServicePage } from '../../../platform/http/service-page.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import { html } from '../../../shared/html.ts';
import { SIGN_IN_ERROR_MESSAGES } from './sign-in-errors.ts';

/** The code is in the fragment, which browsers do not send to servers. It is exchanged only after a click. */
const SIGN_IN_PAGE_SCRIPT = `
const words = ${JSON.stringify(SIGN_IN_ERROR_MESSAGES)};
const given = new URLSearchParams(location.hash.slice(1));
const form = document.querySelector('form'), says = document.querySelector('output');
history.replaceState(null, '', location.pathname);
form.code.value = given.get('code') ?? '';
form.hidden = !given.has('code');
if (!given.has('code')) says.textContent = Object.hasOwn(words, given.get('error')) ? words[given.get('error')] : words.sign_in_failed;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = JSON.stringify({ code: form.code.value });
  const answer = await fetch('google/exchange', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const told = await answer.json();
  if (!answer.ok) says.textContent = told.detail;
  else if (told.mfaRequired) says.textContent = 'A second factor is asked for: POST /api/auth/mfa/verify with a code and this mfaToken: ' + told.mfaToken;
  else says.textContent = 'Signed in as ' + told.user?.email + '. The access token: ' + told.accessToken;
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
        body: html`<h1>Sign in</h1><p>No web application is configured that sign-ins lead to, so this page of the service stands in for it.</p>
<form><label for="code">One-time code</label><input id="code" name="code" required autocomplete="off">
<button>Change it for tokens</button></form><output role="status"></output>
<noscript><p>Without scripts, begin with a codeChallenge, and send the code, which is in the address after #code=, with its codeVerifier as JSON to POST /api/auth/google/exchange.</p></noscript>`,
      }),
  );
};
