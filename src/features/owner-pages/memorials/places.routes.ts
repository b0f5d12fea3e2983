import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { createMapLinks, parseCoordinates } from '../../finder/index.ts';
import {
  changeMemoryTag,
  MEMORY_TAG_PLACE_KINDS,
  MemoryTagChange,
  type MemoryTagPlace,
  parseMemoryTagPlaces,
} from '../../memory-tags/index.ts';
import { type FormErrors, renderField, renderForm } from '../components.ts';
import { type FormToken, getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  DoneQuery,
  describeRefusal,
  getMemorialPath,
  MEMORIAL_ACCESS,
  MEMORIAL_PAGE_CONFIG,
  MemorialParams,
  type MemorialRequest,
  type Refused,
  requireMemorial,
  sendMemorialPage,
} from './memorial-parts.ts';

type Place = Static<typeof MemoryTagPlace>;

const OptionalText = Type.Optional(Type.String());

const PlaceForm = Type.Object({
  version: OptionalText,
  label: OptionalText,
  kind: OptionalText,
  position: OptionalText,
});

/** `index` counts from 0, in the order of the page. */
const PlaceButtons = Type.Object({ version: OptionalText, index: OptionalText, action: OptionalText });

const findChangeErrors = createBodyValidator(MemoryTagChange);

/** The places of a life, in the order of the memorial's page. */
export const memorialPlacePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const config = { access: MEMORIAL_ACCESS, audit: auditAs('MEMORY_TAG_UPDATED') };

  app.get(
    '/:accountId/memorials/:id/places',
    {
      config: MEMORIAL_PAGE_CONFIG,
      schema: { hide: true, params: MemorialParams, querystring: DoneQuery },
    },
    async (request, reply) => sendPlacesPage(request, reply),
  );

  app.post(
    '/:accountId/memorials/:id/places',
    { config, schema: { hide: true, params: MemorialParams, body: PlaceForm } },
    async (request, reply) => {
      const values = request.body;
      const { place, errors } = parsePlace(values);
      if (errors.length > 0) return sendPlacesPage(request, reply, { errors }, values);
      return changePlaces(request, reply, values, (places) => [...places, place]);
    },
  );

  app.post(
    '/:accountId/memorials/:id/places/order',
    { config, schema: { hide: true, params: MemorialParams, body: PlaceButtons } },
    async (request, reply) => {
      const { index, action, version } = request.body;
      return changePlaces(request, reply, { version }, (places) =>
        action === 'remove'
          ? places.filter((_place, position) => position !== Number(index))
          : moveUp(places, Number(index)),
      );
    },
  );

  async function changePlaces(
    request: MemorialRequest,
    reply: FastifyReply,
    values: Static<typeof PlaceForm>,
    change: (places: Place[]) => Place[],
  ): Promise<FastifyReply> {
    const { accountId: userId, id } = request.params;
    const { row } = await requireMemorial(services, request);
    const input = { places: change(parseMemoryTagPlaces(row)) };
    const errors = findChangeErrors({ ...input }).map((error) => ({ ...error, field: 'label' }));
    if (errors.length > 0) return sendPlacesPage(request, reply, { errors }, values);
    try {
      const ifMatch = formatVersionEtag(Number(values.version ?? row.version));
      await changeMemoryTag(services, getRequestContext(request), { id, userId }, input, ifMatch);
    } catch (error) {
      return sendPlacesPage(request, reply, describeRefusal(error, request, reply), values);
    }
    return reply.redirect(`${getMemorialPath(services, request.params)}/places?done=saved`, 303);
  }

  async function sendPlacesPage(
    request: MemorialRequest,
    reply: FastifyReply,
    refused: Refused = {},
    values: Static<typeof PlaceForm> = {},
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const memorial = await requireMemorial(services, request);
    const form = {
      path: `${getMemorialPath(services, request.params)}/places`,
      token: getPermittedFormToken(services, request, reply),
      version: String(memorial.row.version),
    };
    const places = parseMemoryTagPlaces(memorial.row);
    return sendMemorialPage(services, request, reply, {
      tab: 'places',
      memorial,
      refused,
      body: html`<p>${t(locale, 'app.memorials.placesText')}</p>
${places.length > 0 && html`<ul class="cards rows">${places.map((place, index) => renderPlace(place, index, form, locale))}</ul>`}${
  form.token !== null &&
  html`<div class="narrow"><h2>${t(locale, 'app.memorials.newPlace')}</h2>${renderForm({
    action: form.path,
    token: form.token,
    hidden: { version: form.version },
    submit: t(locale, 'app.memorials.addPlace'),
    fields: renderPlaceFields(values, refused.errors ?? [], locale),
  })}</div>`
}`,
    });
  }
};

/** An unknown kind is left out; a position is one pair of coordinates or a link to a map. */
function parsePlace({ label = '', kind, position = '' }: Static<typeof PlaceForm>): {
  place: Place;
  errors: FieldError[];
} {
  const coordinates = parseCoordinates(position);
  const known = MEMORY_TAG_PLACE_KINDS.find((one) => one === kind);
  const place = { label: label.trim(), ...(known && { kind: known }), ...coordinates };
  const errors = [
    ...(place.label === '' ? [{ field: 'label', code: 'REQUIRED', message: '' }] : []),
    ...(position.trim() !== '' && coordinates === null
      ? [{ field: 'position', code: 'BAD_POSITION', message: '' }]
      : []),
  ];
  return { place, errors };
}

/** Return the places with one moved before its predecessor. */
function moveUp(places: readonly Place[], index: number): Place[] {
  const [before, place] = [places[index - 1], places[index]];
  return before && place ? places.with(index - 1, place).with(index, before) : [...places];
}

function renderPlaceFields(
  values: Static<typeof PlaceForm>,
  errors: FormErrors,
  locale: Locale,
): readonly Html[] {
  const isUnclear = errors.some(({ code }) => code === 'BAD_POSITION');
  return [
    {
      name: 'label',
      label: t(locale, 'app.memorials.placeName'),
      value: values.label,
      maxLength: 200,
      isRequired: true,
    },
    {
      name: 'kind',
      label: t(locale, 'app.memorials.placeKind'),
      value: values.kind ?? 'OTHER',
      options: MEMORY_TAG_PLACE_KINDS.map((value) => ({ value, label: getKindLabel(value, locale) })),
    },
    {
      name: 'position',
      label: t(locale, 'app.memorials.position'),
      hint: t(locale, 'app.memorials.positionHint'),
      value: values.position,
      maxLength: 500,
      error: isUnclear ? t(locale, 'app.memorials.positionUnclear') : undefined,
    },
  ].map((field) => renderField({ ...field, autocomplete: 'off' }, errors, locale));
}

function getKindLabel(kind: (typeof MEMORY_TAG_PLACE_KINDS)[number], locale: Locale): string {
  return kind === 'OTHER' ? t(locale, 'app.memorials.otherPlace') : t(locale, `memorial.placeKinds.${kind}`);
}

function renderPlace(
  { label, kind, latitude, longitude }: Place,
  index: number,
  { path, token, version }: { path: string; token: FormToken; version: string },
  locale: Locale,
): Html {
  const map =
    latitude !== undefined &&
    longitude !== undefined &&
    html` <a rel="noopener noreferrer nofollow" href="${createMapLinks({ latitude, longitude }).openStreetMap}">${t(locale, 'finder.mapLink')}<span class="visually-hidden"> <bdi>${label}</bdi></span></a>`;
  const button = (action: 'up' | 'remove', text: string) =>
    renderForm({
      action: `${path}/order`,
      token,
      hidden: { version, index: String(index), action },
      submit: text,
      kind: 'plain',
    });
  return html`<li><div><p><b><bdi>${label}</bdi></b></p><p class="small">${kind && kind !== 'OTHER' && getKindLabel(kind, locale)}${map}</p></div>${index > 0 && button('up', t(locale, 'app.memorials.placeUp'))}${button('remove', t(locale, 'app.settings.devices.remove'))}</li>
`;
}
