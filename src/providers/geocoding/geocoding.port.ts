import type { MapCity, MapCityArea } from '../../shared/maps/point-map.ts';

export interface GeocodedPlace {
  /** One line, such as `Berlin, Berlin, DE`; null when only the country is known. */
  address: string | null;
  city: string | null;
  /** State, province or canton. */
  region: string | null;
  /** ISO 3166-1 alpha-2; XK for Kosovo. */
  country: string;
}

export interface Geocoder {
  readonly name: string;
  /** Find the place at a position in degrees (WGS 84); null when there is none, such as at sea. */
  reverseGeocode(latitude: number, longitude: number): Promise<GeocodedPlace | null>;
}

export interface CityFinder {
  /** Find the largest cities of an area, the largest first, at most 200. */
  findCities(area: MapCityArea): Promise<MapCity[]>;
}
