import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { skipAudit } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { SIGNED_OUT_ACCESS } from '../sign-in.routes.ts';
import { listComponentSamples } from './samples.ts';

const SCHEMES = ['light', 'dark'] as const;

type Scheme = (typeof SCHEMES)[number];

const SamplesQuery = Type.Object({
  scheme: Type.Optional(Type.Enum([...SCHEMES])),
  lang: Type.Optional(Type.String()),
});

/** Every component in its states, for who writes pages. Not in production. */
export const componentSampleRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const path = `${getOwnerPagesPath(services)}/components`;

  app.get(
    '/components',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: skipAudit('SYSTEM'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: SamplesQuery },
      onSend: async (request, reply, payload: unknown) => {
        const { scheme } = request.query;
        return scheme && typeof payload === 'string' ? setScheme(reply, payload, scheme) : payload;
      },
    },
    async (request, reply) => {
      if (services.config.production) throw new ServiceError('NOT_FOUND');
      const locale = chooseOwnerPageLocale(request);
      const token = getFormToken(services, request, reply);
      const samples = Object.entries(listComponentSamples({ path, token, locale }));
      const links = SCHEMES.map((scheme) => {
        const query = new URLSearchParams({ scheme, lang: locale.tag });
        return html`<a class="act plain" href="${path}?${String(query)}">${scheme}</a>`;
      });
      return sendOwnerPage(services, request, reply, {
        title: 'Components',
        address: path,
        body: html`<div class="actions" lang="en" dir="ltr">${links}<a class="act plain" href="${path}?lang=ar">right to left</a></div>
${samples.map(([name, sample]) => html`<section><h2 lang="en">${name}</h2>${sample}</section>\n`)}`,
      });
    },
  );
};

/** Set what the browser chooses otherwise: in the style, and in the policy that has its hash. */
function setScheme(reply: FastifyReply, markup: string, scheme: Scheme): string {
  let policy = String(reply.getHeader('Content-Security-Policy'));
  const page = markup.replaceAll(/(?<=<style>)[^<]+/g, (style) => {
    const changed = style
      .replaceAll('(prefers-color-scheme:dark)', scheme === 'dark' ? '(width)' : '(not (width))')
      .replaceAll('color-scheme:light dark', `color-scheme:${scheme}`);
    policy = policy.replace(computeHash(style), computeHash(changed));
    return changed;
  });
  reply.header('Content-Security-Policy', policy);
  return page;
}

function computeHash(style: string): string {
  return createHash('sha256').update(style).digest('base64');
}
