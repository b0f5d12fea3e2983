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
