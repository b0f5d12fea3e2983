import { generateKeyPairSync, sign } from 'node:crypto';
import { DAY_MS } from '../../../src/shared/durations.ts';

interface Certificate {
  /** Both PEM. */
  cert: string;
  key: string;
}

/** Create a self-signed certificate for these names, with its key. */
export function createSelfSignedCertificate(...names: string[]): Certificate {
  return createCertificateWithValidity(names, -1, 1);
}

/** Create a self-signed certificate that is valid between two days, counted from now. */
export function createCertificateWithValidity(
  names: readonly string[],
  firstDay: number,
  lastDay: number,
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = encodeSequence(fromHex('06082a8648ce3d040302'));
  const commonName = encodeSequence(
    encodeDer(0x31, encodeSequence(fromHex('0603550403'), encodeText(0x0c, 'test'))),
  );
  const validity = encodeSequence(
    ...[firstDay, lastDay].map((day) => encodeUtcTime(Date.now() + day * DAY_MS)),
  );
  const alternativeNames = encodeSequence(...names.map((name) => encodeText(0x82, name)));
  const extensions = encodeDer(
    0xa3,
    encodeSequence(encodeSequence(fromHex('0603551d11'), encodeDer(0x04, alternativeNames))),
  );
  const certified = encodeSequence(
    fromHex('a003020102020101'),
    ecdsaWithSha256,
    commonName,
    validity,
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = encodeDer(0x03, Buffer.of(0), sign('sha256', certified, privateKey));
  const bytes = encodeSequence(certified, ecdsaWithSha256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Encode an ASN.1 value in DER: tag, length, content (X.690). */
function encodeDer(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const encodeSequence = (...parts: Buffer[]) => encodeDer(0x30, ...parts);
const encodeText = (tag: number, value: string) => encodeDer(tag, Buffer.from(value));
const fromHex = (value: string) => Buffer.from(value, 'hex');

/** YYMMDDHHMMSSZ */
function encodeUtcTime(at: number): Buffer {
  return encodeText(0x17, `${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`);
}
