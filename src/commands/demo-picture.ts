import sharp from 'sharp';

const BLACK = { dark: '#2b2b30', light: '#3d3d44' };
export const BROWN = { dark: '#6f4320', light: '#8d5a30' };

/** A border collie with a folded ear, as the example of a pet describes it. */
const createDogSvg = ({
  dark,
  light,
}: typeof BLACK) => `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900" viewBox="0 0 400 300">
<defs>
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#a9d6f5"/><stop offset="1" stop-color="#e9f5fc"/></linearGradient>
<linearGradient id="grass" x2="0" y2="1"><stop stop-color="#8cbf63"/><stop offset="1" stop-color="#5d9a45"/></linearGradient>
</defs>
<path fill="url(#sky)" d="M0 0h400v300H0z"/>
<circle cx="336" cy="52" r="22" fill="#fff4c4"/>
<path fill="#b7d99a" d="M0 190q90-50 190-14t210-20v144H0z"/>
<path fill="url(#grass)" d="M0 226q120-26 220-8t180-6v88H0z"/>
<path fill="${dark}" d="M128 300q-6-78 30-104h84q36 26 30 104z"/>
<path fill="#fbfaf6" d="M164 300q-10-62 8-92h56q18 30 8 92z"/>
<path fill="${dark}" d="M136 112q-22-66-8-84 26 8 52 48z"/>
<path fill="${dark}" d="M264 112q26-52 18-74-20-4-62 36z"/>
<path fill="${light}" d="M282 38q28 10 18 50-18-18-44-26z"/>
<path fill="${dark}" d="M200 58c52 0 76 34 76 82 0 52-36 84-76 84s-76-32-76-84c0-48 24-82 76-82z"/>
<path fill="#fbfaf6" d="M200 58q13 0 14 46 2 30 32 52 6 66-46 68-52-2-46-68 30-22 32-52 1-46 14-46z"/>
<g fill="#7a4a21"><circle cx="164" cy="130" r="12"/><circle cx="236" cy="130" r="12"/></g>
<g fill="#111"><circle cx="165" cy="131" r="7.5"/><circle cx="235" cy="131" r="7.5"/></g>
<g fill="#fff"><circle cx="168" cy="127" r="2.6"/><circle cx="238" cy="127" r="2.6"/></g>
<path fill="#1b1b1f" d="M181 164q19-12 38 0 2 16-19 22-21-6-19-22z"/>
<path fill="#e8788a" d="M190 202h20q4 28-10 29t-10-29z"/>
<path fill="none" stroke="#1b1b1f" stroke-linecap="round" stroke-width="3" d="M200 186v12q-16 14-30 2m30-2q16 14 30 2"/>
<path fill="none" stroke="#c0392b" stroke-width="11" d="M146 226q54 30 108 0"/>
<circle cx="200" cy="252" r="12" fill="#f1c40f" stroke="#b8860b" stroke-width="2"/>
</svg>`;

/** Draw the picture of a pet of the demo as JPEG. */
export function drawDemoPicture(coat = BLACK): Promise<Buffer> {
  return sharp(Buffer.from(createDogSvg(coat)))
    .jpeg({ quality: 90 })
    .toBuffer();
}
