/** The tickets: a two-page PDF for the flights and a tall picture for the train. Laid out as pages, printed by Chromium. */
import { writeFile } from 'node:fs/promises';

const style = `
  * { box-sizing: border-box; margin: 0; padding: 0; }
  html { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  body { font-family: Lato, 'Liberation Sans', sans-serif; color: #4a1230; background: #fbeee8; }
  .serif { font-family: 'EB Garamond', P052, serif; font-variant-numeric: lining-nums; }
  .label { font-size: 8.5pt; letter-spacing: .14em; text-transform: uppercase; color: #8a5566; }
  .value { font-size: 13pt; margin-top: 1mm; }
  .row { display: flex; justify-content: space-between; gap: 5mm; }
`;

const flights = [
  { title: 'Andata', date: 'Sabato 15 maggio 2027', code: 'AU 512', from: ['MXP', 'Milano Malpensa', '10:20'], to: ['LIS', 'Lisbona', '12:15'], time: '2 h 55 min', gate: 'B 14', board: '09:40', note: 'Ora di Lisbona: un’ora in meno. Un’ora in più per noi.' },
  { title: 'Ritorno', date: 'Giovedì 20 maggio 2027', code: 'AU 513', from: ['LIS', 'Lisbona', '18:40'], to: ['MXP', 'Milano Malpensa', '22:25'], time: '2 h 45 min', gate: 'C 07', board: '18:00', note: 'Finestrino a chi si addormenta prima. Lo sappiamo già.' },
];
const people = [['Giulia Ferri', '12A'], ['Andrea Conti', '12B']];

const plane = '<svg width="34" height="30" viewBox="-28 -28 64 46"><path d="M34 0-24-26-10-4Z" fill="#6d1f3f"/><path d="M34 0-10-4-15 14Z" fill="#a8435f"/><path d="M34 0-4 3-26 12-10-4Z" fill="#d99aa0"/></svg>';

/** Bars that stand for a code; they say nothing to a machine. */
function bars(text, height, width) {
  let x = 0;
  let out = '';
  for (let i = 0; i < 58; i++) {
    const w = 1 + ((text.charCodeAt(i % text.length) * (i + 7)) % 4);
    if (i % 2 === 0) out += `<rect x="${x}" y="0" width="${w}" height="10"/>`;
    x += w;
  }
  return `<svg width="${width}" height="${height}" viewBox="0 0 ${x} 10" preserveAspectRatio="none" fill="#3b1028">${out}</svg>`;
}

function boardingPass(flight, [name, seat]) {
  const [from, to] = [flight.from, flight.to].map(([code, place, hour]) => `<div><div class="serif code">${code}</div><div class="place">${place}</div><div class="serif hour">${hour}</div></div>`);
  const fields = [['Passeggero', name], ['Volo', flight.code], ['Posto', seat], ['Uscita', flight.gate], ['Imbarco', flight.board]];
  return `<section class="pass"><div class="main"><div class="row top"><span class="serif airline">Aurora <i>linee aeree</i></span><span class="label">Carta d’imbarco</span></div>
    <div class="route">${from}<div class="fly">${plane}<div class="line"></div><span>${flight.time}</span></div>${to}</div>
    <div class="row">${fields.map(([k, v]) => `<div><div class="label">${k}</div><div class="value">${v}</div></div>`).join('')}</div></div>
    <div class="stub"><div class="label">${flight.date}</div><div class="serif seat">${seat}</div><div class="value">${name}</div><div class="bars">${bars(name + flight.code, 44, 170)}</div></div></section>`;
}

function flightPage(flight, index) {
  return `<article><header><div class="serif title">${index ? 'E poi, a casa' : 'Lisbona, noi due'}</div><div class="row sub"><span>${flight.title} · ${flight.date}</span><span>Prenotazione <b>TP1V0L</b></span></div></header>
    ${people.map((person) => boardingPass(flight, person)).join('')}
    <p class="serif note">${flight.note}</p>
    <footer>Bagaglio: una valigia da 10 kg a testa, più quella che compreremo lì.<br>Presentarsi in aeroporto due ore prima, con un documento e senza domande.<br>Biglietto dimostrativo: volo, compagnia e codici sono inventati.</footer></article>`;
}

const pdfStyle = `@page { size: A4; margin: 0; }
  article { width: 210mm; height: 296.5mm; padding: 20mm 16mm; position: relative; page-break-after: always; background: radial-gradient(circle at 80% 0, #f7dcd6, #fbeee8 55%); }
  article:last-child { page-break-after: auto; }
  .title { font-size: 40pt; font-style: italic; color: #6d1f3f; } .sub { margin: 2mm 0 11mm; font-size: 11pt; padding-top: 3mm; border-top: .3mm solid #e3bf7f; }
  .pass { display: flex; background: #fffaf6; border-radius: 5mm; margin-bottom: 9mm; border: .25mm solid #ecd3c8; height: 80mm; position: relative; }
  .main { flex: 1; padding: 7mm 8mm; display: flex; flex-direction: column; justify-content: space-between; }
  .stub { width: 52mm; border-left: .5mm dashed #d9a9a0; padding: 7mm 6mm; display: flex; flex-direction: column; justify-content: space-between; }
  .airline { font-size: 17pt; color: #6d1f3f; } .top { align-items: baseline; } .code { font-size: 34pt; line-height: 1; color: #3b1028; } .place { font-size: 9pt; margin-top: 1mm; } .hour { font-size: 21pt; line-height: 1.1; margin-top: 2mm; }
  .route { display: flex; justify-content: space-between; align-items: center; text-align: left; } .route > div:last-child { text-align: right; }
  .fly { flex: 1; margin: 0 6mm; text-align: center; font-size: 8.5pt; color: #8a5566; } .line { border-top: .4mm solid #e3bf7f; margin: 1mm 0; } .main .value { font-size: 11.5pt; margin-top: 1.4mm; white-space: nowrap; } .main .label { font-size: 7pt; }
  .seat { font-size: 38pt; line-height: 1; color: #6d1f3f; } .stub .label { font-size: 7.2pt; letter-spacing: .08em; } .bars svg { width: 100%; height: 12mm; }
  .note { font-size: 20pt; font-style: italic; text-align: center; margin-top: 12mm; color: #6d1f3f; } footer { position: absolute; left: 16mm; right: 16mm; bottom: 14mm; font-size: 8pt; line-height: 1.5; color: #8a5566; text-align: center; }`;

const html = (css, body) => `<!doctype html><html lang="it"><meta charset="utf-8"><title>Biglietti</title><style>${style}${css}</style><body>${body}</body></html>`;

/** The two dates inside a PDF are those of the printing: they become a fixed day, of the same length. */
function timeless(pdf) {
  const text = pdf.toString('latin1').replace(/\((D:)\d{14}(\+00'00')?/g, (all, mark, zone = '') => `(${mark}20270101000000${zone}`);
  return Buffer.from(text, 'latin1');
}

export async function makeFlightTickets(browser, target, pages = 2) {
  const page = await browser.newPage();
  await page.setContent(html(pdfStyle, flights.slice(0, pages).map(flightPage).join('')));
  await writeFile(target, timeless(await page.pdf({ preferCSSPageSize: true, printBackground: true })));
  await page.close();
}

const journeys = [
  { title: 'Andata', date: 'Sabato 4 dicembre 2027', from: ['Milano Centrale', '08:45'], to: ['Bolzano · Bozen', '12:04'], train: '9614' },
  { title: 'Ritorno', date: 'Mercoledì 8 dicembre 2027', from: ['Bolzano · Bozen', '16:20'], to: ['Milano Centrale', '19:39'], train: '9639' },
];

const trainStyle = `body { width: 1000px; height: 1500px; padding: 56px; background: linear-gradient(#1c1238, #42235a 30%, #6d1f3f 75%, #3b1028); }
  .card { height: 100%; border-radius: 36px; background: #fffaf6; overflow: hidden; display: flex; flex-direction: column; }
  .sky { height: 360px; position: relative; } .sky svg { position: absolute; inset: 0; width: 888px; height: 360px; } .sky h1 { position: absolute; left: 56px; top: 46px; font-weight: 400; font-style: italic; font-size: 84px; line-height: 1; color: #fff4ea; } .sky p { position: absolute; left: 60px; top: 236px; color: #f3cfc6; font-size: 25px; letter-spacing: .06em; }
  .leg { padding: 42px 60px 36px; border-bottom: 3px dashed #e3c4b8; } .label { font-size: 19px; } .value { font-size: 30px; margin-top: 10px; line-height: 1.35; } .date { font-size: 42px; color: #6d1f3f; margin: 14px 0 18px; }
  .stops { position: relative; padding-left: 44px; font-size: 36px; line-height: 1.85; } .stops b { font-weight: 400; font-size: 46px; line-height: 1.4; } .stops::before { content: ''; position: absolute; left: 12px; top: 32px; bottom: 32px; border-left: 4px solid #e3bf7f; } .stops div { display: flex; justify-content: space-between; position: relative; } .stops div::before { content: ''; position: absolute; left: -42px; top: 22px; width: 16px; height: 16px; border-radius: 50%; background: #fffaf6; border: 4px solid #b0364f; }
  .foot { padding: 44px 60px 0; flex: 1; } .foot .row { gap: 30px; } .bars { margin-top: 46px; } .small { margin-top: 22px; text-align: center; font-size: 17px; color: #8a5566; }`;

const peaks = '<svg viewBox="0 0 888 330" preserveAspectRatio="none"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="#2a1747"/><stop offset=".6" stop-color="#8a4576"/><stop offset="1" stop-color="#f0a79c"/></linearGradient><linearGradient id="r" x2="0" y2="1"><stop stop-color="#ff9d8a"/><stop offset="1" stop-color="#7a4577"/></linearGradient></defs><rect width="888" height="330" fill="url(#s)"/><circle cx="800" cy="66" r="28" fill="#fff4ea"/><circle cx="788" cy="60" r="26" fill="#39204f"/><path d="M380 330 440 250 470 262 520 168 540 190 566 120 590 152 612 132 650 210 676 186 700 214 730 170 768 226 800 214 888 290V330Z" fill="url(#r)"/><path d="M566 120 556 165 574 156 582 182 592 152ZM520 168 512 205 526 196 532 214 540 190ZM730 170 722 204 736 198 744 214 752 204Z" fill="#ffe6e0"/><path d="M0 330V296q120-40 260-12t300-8 328 6V330Z" fill="#e6d3e2"/></svg>';

function leg({ title, date, from, to, train }) {
  return `<section class="leg"><div class="row"><span class="label">${title}</span><span class="label">Treno ${train} · carrozza 4</span></div><div class="serif date">${date}</div>
    <div class="stops">${[from, to].map(([place, hour]) => `<div><span>${place}</span><b class="serif">${hour}</b></div>`).join('')}</div></section>`;
}

function trainTicket() {
  const fields = [['Passeggeri', 'Giulia Ferri<br>Andrea Conti'], ['Posti', '7A · 7B<br>vicini'], ['Codice', 'NEV3DU']];
  return `<main class="card"><div class="sky">${peaks}<h1 class="serif">Dolomiti,<br>con la neve</h1><p>Biglietto di andata e ritorno</p></div>${journeys.map(leg).join('')}
    <div class="foot"><div class="row">${fields.map(([k, v]) => `<div><div class="label">${k}</div><div class="value">${v}</div></div>`).join('')}</div>
    <div class="bars">${bars('Dolomiti 4-8 dicembre, neve per due, casa di legno e camino', 100, 768)}</div><p class="small">Biglietto dimostrativo: treni, orari e codici sono inventati. I maglioni grossi, invece, servono davvero.</p></div></main>`;
}

export async function makeTrainTicket(browser, target, { type = 'png', scale = 1 } = {}) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 1500 } });
  await page.setContent(html(trainStyle + (scale === 1 ? '' : `html { zoom: ${scale}; }`), trainTicket()));
  const clip = { x: 0, y: 0, width: Math.round(1000 * scale), height: Math.round(1500 * scale) };
  await page.screenshot({ path: target, type, clip, ...(type === 'jpeg' ? { quality: 82 } : {}) });
  await page.close();
}
