export const USER_AGENTS: readonly string[] = [
  ...createPhoneAgents(60),
  ...createDesktopAgents(24),
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'curl/8.5.0',
  'WhatsApp/2.24.6.77 A',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  '',
];

function createPhoneAgents(count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    index % 3 === 0
      ? `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${index % 6} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.${index % 6} Mobile/15E${100 + index} Safari/604.1`
      : `Mozilla/5.0 (Linux; Android ${11 + (index % 5)}; Pixel ${4 + (index % 6)}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${110 + index}.0.0.0 Mobile Safari/537.36`,
  );
}

function createDesktopAgents(count: number): string[] {
  const systems = ['Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7', 'X11; Linux x86_64'];
  return Array.from({ length: count }, (_, index) => {
    const system = systems[index % systems.length];
    return index % 2 === 0
      ? `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${110 + index}.0.0.0 Safari/537.36`
      : `Mozilla/5.0 (${system}; rv:${110 + index}.0) Gecko/20100101 Firefox/${110 + index}.0`;
  });
}

export interface City {
  city: string;
  region: string;
  country: string;
  latitude: number;
  longitude: number;
}

const CITY_ROWS: readonly (readonly [string, string, string, number, number])[] = [
  ['Berlin', 'State of Berlin', 'DE', 52.52, 13.4],
  ['Hamburg', 'Hamburg', 'DE', 53.55, 10.0],
  ['Munich', 'Bavaria', 'DE', 48.14, 11.58],
  ['Paris', 'Île-de-France', 'FR', 48.86, 2.35],
  ['Lyon', 'Auvergne-Rhône-Alpes', 'FR', 45.76, 4.84],
  ['London', 'England', 'GB', 51.51, -0.13],
  ['Leeds', 'England', 'GB', 53.8, -1.55],
  ['Zürich', 'Zurich', 'CH', 47.37, 8.54],
  ['Vienna', 'Vienna', 'AT', 48.21, 16.37],
  ['Lisbon', 'Lisbon', 'PT', 38.72, -9.14],
  ['Madrid', 'Madrid', 'ES', 40.42, -3.7],
  ['Rome', 'Lazio', 'IT', 41.9, 12.5],
  ['Athens', 'Attica', 'GR', 37.98, 23.73],
  ['Kathmandu', 'Bagmati Province', 'NP', 27.7, 85.32],
  ['Adelaide', 'South Australia', 'AU', -34.93, 138.6],
  ['Tokyo', 'Tokyo', 'JP', 35.68, 139.69],
  ['Nairobi', 'Nairobi', 'KE', -1.29, 36.82],
  ['New York City', 'New York', 'US', 40.71, -74.01],
  ['Boston', 'Massachusetts', 'US', 42.36, -71.06],
  ['Lima', 'Lima', 'PE', -12.05, -77.04],
];

export const CITIES: readonly City[] = CITY_ROWS.map(([city, region, country, latitude, longitude]) => ({
  ...{ city, region, country, latitude, longitude },
}));
