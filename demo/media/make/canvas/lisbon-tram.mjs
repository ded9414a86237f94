/** The tram, seen from the front: `w` is its width, (x, y) the middle of its wheels. */
import { fade, glow, polygon, wash } from './tools.mjs';

export function drawTram(g, x, y, w) {
  g.save();
  g.translate(x, y);
  g.scale(w / 240, w / 240);
  shadow(g);
  sideWall(g);
  body(g);
  glass(g);
  board(g);
  lamp(g);
  pole(g);
  g.restore();
}

function shadow(g) {
  g.save();
  g.scale(1, 0.16);
  const soft = g.createRadialGradient(0, 0, 40, 0, 0, 190);
  soft.addColorStop(0, 'rgba(23,8,20,.85)');
  soft.addColorStop(1, 'rgba(23,8,20,0)');
  g.fillStyle = soft;
  g.fillRect(-200, -200, 400, 400);
  g.restore();
}

/** A sliver of the side, going away towards the middle of the street. */
function sideWall(g) {
  polygon(g, [[-104, -300], [-138, -262], [-138, -34], [-104, -18]], '#b5722f');
  polygon(g, [[-104, -285], [-138, -250], [-138, -150], [-104, -160]], '#f3dcc0');
  for (const [a, b] of [[-134, -124], [-120, -108]]) polygon(g, [[a, -240], [b, -252], [b, -168], [a, -164]], '#ffd98c');
}

function body(g) {
  g.fillStyle = '#2a1022';
  g.fillRect(-88, -30, 176, 30);
  for (const wx of [-74, 74]) { g.beginPath(); g.arc(wx, -10, 13, 0, 7); g.fill(); }
  const paint = g.createLinearGradient(-112, 0, 112, 0);
  paint.addColorStop(0, '#c98426');
  paint.addColorStop(0.22, '#f7c244');
  paint.addColorStop(0.7, '#f2b235');
  paint.addColorStop(1, '#b96f22');
  g.fillStyle = paint;
  g.beginPath();
  g.roundRect(-112, -180, 224, 160, [6, 6, 34, 34]);
  g.fill();
  const cream = g.createLinearGradient(-112, 0, 112, 0);
  cream.addColorStop(0, '#d8b79c');
  cream.addColorStop(0.3, '#fff3df');
  cream.addColorStop(1, '#d9ae94');
  g.fillStyle = cream;
  g.beginPath();
  g.roundRect(-112, -312, 224, 140, [40, 40, 0, 0]);
  g.fill();
  g.fillStyle = '#7a2f3c';
  g.beginPath();
  g.roundRect(-96, -332, 192, 30, [26, 26, 4, 4]);
  g.fill();
  g.fillStyle = '#fff3df';
  g.fillRect(-112, -176, 224, 6);
  g.fillRect(-112, -62, 224, 4);
  g.fillStyle = '#3b1028';
  g.beginPath();
  g.roundRect(-92, -44, 184, 16, 5);
  g.fill();
}

function glass(g) {
  for (const [left, wide] of [[-98, 54], [-37, 74], [44, 54]]) {
    g.fillStyle = '#6a2f2c';
    g.beginPath();
    g.roundRect(left - 4, -270, wide + 8, 90, 10);
    g.fill();
    g.save();
    g.beginPath();
    g.roundRect(left, -266, wide, 82, 8);
    g.clip();
    wash(g, left, -266, wide, 82, [[0, '#ffe6a8'], [0.55, '#f7b765'], [1, '#8a4a3a']]);
    polygon(g, [[left + 4, -184], [left + 24, -266], [left + 38, -266], [left + 18, -184]], 'rgba(255,255,255,.22)');
    g.restore();
  }
  person(g, -14, '#3b1028');
  person(g, 72, '#5a2340');
}

function person(g, x, colour) {
  g.fillStyle = colour;
  g.beginPath();
  g.arc(x, -220, 11, 0, 7);
  g.fill();
  g.beginPath();
  g.roundRect(x - 19, -207, 38, 24, [14, 14, 0, 0]);
  g.fill();
}

function board(g) {
  g.fillStyle = '#2a1022';
  g.beginPath();
  g.roundRect(-64, -304, 128, 27, 5);
  g.fill();
  g.textAlign = 'center';
  g.fillStyle = '#ffe9b8';
  g.font = "700 18px Lato, 'Liberation Sans', sans-serif";
  g.fillText('28  GRAÇA', 0, -284);
  g.fillStyle = '#8a2f3c';
  g.font = "700 34px Lato, 'Liberation Sans', sans-serif";
  g.fillText('28', 66, -98);
  g.textAlign = 'start';
}

function lamp(g) {
  g.fillStyle = '#7a3a24';
  g.beginPath();
  g.arc(0, -116, 27, 0, 7);
  g.fill();
  g.fillStyle = '#fffbe8';
  g.beginPath();
  g.arc(0, -116, 20, 0, 7);
  g.fill();
  glow(g, 0, -116, 150, '#ffe9a8', 0.75);
  for (const x of [-86, 86]) { g.fillStyle = '#d8434f'; g.beginPath(); g.arc(x, -74, 7, 0, 7); g.fill(); }
}

function pole(g) {
  g.strokeStyle = fade('#2a1022', 0.9);
  g.lineWidth = 4;
  g.beginPath();
  g.moveTo(0, -332);
  g.lineTo(-9, -452);
  g.stroke();
}
