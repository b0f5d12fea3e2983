/** What a position is called. */
export interface GeocodedPlace {
  /** The whole as one readable line, such as `Berlin, Berlin, DE`; null where only the country is known. */
  address: string | null;
  city: string | null;
  /** State, province or canton. */
  region: string | null;
  /** ISO 3166-1 alpha-2; XK for Kosovo. */
  country: string;
}

/** What turns positions into places. */
export interface Geocoder {
  readonly name: string;
  /** The place at a position in degrees (WGS 84), or null where there is none, such as at sea. */
  reverseGeocode(latitude: number, longitude: number): Promise<GeocodedPlace | null>;
}
