/**
 * Numbers to call an ambulance, by country (ISO 3166-1 alpha-2), where 112 is not the first choice. Only countries with
 * one number for all of the country; from the emergency numbers of the Android Open Source Project
 * (packages/services/Telephony, ecc/input/eccdata.txt).
 */
const COUNTRIES_BY_NUMBER: Readonly<Record<string, string>> = {
  '000': 'AU CC CX',
  101: 'IL PS',
  102: 'MV NP',
  103: 'BY KG KZ MN TJ UA UZ',
  111: 'NZ',
  113: 'NO',
  115: 'IR VN',
  119: 'JP KH KR TW',
  120: 'CN',
  123: 'CO EG',
  124: 'BA ME',
  131: 'CL',
  150: 'MA',
  1669: 'TH',
  190: 'TN',
  192: 'BR MM',
  194: 'MK RS XK',
  911: 'AG AR AS BM BZ CA CR DM DO EC FJ GD GU HN JO KN KY LC LR MP MX PA PH PR PY US UY VC VE VI',
  995: 'SG',
  997: 'SA',
  998: 'AE',
  999: 'BD BH GB GG HK IM JE KE MO MY QA UG',
  9999: 'OM',
};

const NUMBERS_BY_COUNTRY = new Map(
  Object.entries(COUNTRIES_BY_NUMBER).flatMap(([number, countries]) =>
    countries.split(' ').map((country) => [country, number] as const),
  ),
);

/** Mobile phones (3GPP TS 22.101) call emergency services by it in most countries. */
export const INTERNATIONAL_EMERGENCY_NUMBER = '112';

/** Null where 112 is the number, or the country is unknown. */
export function findLocalEmergencyNumber(country: string | null): string | null {
  return (country && NUMBERS_BY_COUNTRY.get(country)) ?? null;
}
