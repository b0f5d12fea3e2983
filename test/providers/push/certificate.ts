import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate for these names by its own key, and the key; both PEM. Whoever takes it as an authority believes it. */
export function createSelfSignedCertificate(...names: string[]): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'));
  const commonName = sequence(der(0x31, sequence(hex('0603550403'), text(0x0c, 'test'))));
  const day = 24 * 60 * 60 * 1000;
  const validity = sequence(utcTime(Date.now() - day), utcTime(Date.now() + day));
  const alternativeNames = sequence(...names.map((name) => text(0x82, name)));
  const extensions = der(0xa3, sequence(sequence(hex('0603551d11'), der(0x04, alternativeNames))));
  const certified = sequence(
    hex('a003020102020101'),
    ecdsaWithSha256,
    commonName,
    validity,
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', certified, privateKey));
  const bytes = sequence(certified, ecdsaWithSha256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A value of ASN.1 in its distinguished encoding: tag, length, content (X.690). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const hex = (value: string) => Buffer.from(value, 'hex');

/** YYMMDDHHMMSSZ */
function utcTime(at: number): Buffer {
  return text(0x17, `${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`);
}
