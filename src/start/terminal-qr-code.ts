import QRCode from 'qrcode';

/** A code drawn with the characters of a terminal, to try with a phone. */
export function renderTerminalQrCode(content: string): Promise<string> {
  return QRCode.toString(content, { type: 'terminal', small: true, errorCorrectionLevel: 'L' });
}
