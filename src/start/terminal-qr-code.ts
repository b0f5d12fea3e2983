import QRCode from 'qrcode';

export function renderTerminalQrCode(content: string): Promise<string> {
  return QRCode.toString(content, { type: 'terminal', small: true, errorCorrectionLevel: 'L' });
}
