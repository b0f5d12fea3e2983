/** An installation whose pages are below a path of its host. */
export const OWN_ADDRESSES = {
  publicBaseUrl: 'https://qr.example.com/tags',
  frontendUrl: 'https://app.example.com',
};
