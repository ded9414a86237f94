/** What people add to a word to make it longer; it makes the word no harder to guess. */
const DECORATION = /^[\d\W_]+|[\d\W_]+$/gu;

/** Words and runs that lead every list of leaked passwords, world-wide and in Italy. Shorter ones matter with a decoration: «password2024!». */
const COMMON = new Set(
  `password passwort passw0rd p@ssw0rd passwordpassword mypassword yourpassword newpassword thepassword adminpassword
  administrator amministratore admin administrador root superuser superadmin default changeme changemenow letmein letmeinnow
  welcome welcomeback benvenuto benvenuta iloveyou iloveyousomuch iloveyouforever loveyou tiamo tiamotanto tiamotantissimo
  tiamopersempre tivogliobene amore amoremio amoremiotiamo amoreamore vitamia principessa principessamia bellissima tesoro tesoromio
  cucciolo cucciola stellina polpetta patatina gattina gattino farfalla sorpresa unasorpresaperte unasorpresa romantico romantica
  buongiorno buonanotte ciaociao ciaociaociao ciao ciaobella francesco francesca alessandro alessandra alessandria giuseppe
  andrea federica federico martina valentina valentino giovanni giovanna antonio antonella antonietta salvatore vincenzo vincenza
  stefano stefania roberto roberta matteo lorenzo leonardo riccardo beatrice benedetta elisabetta margherita gabriele gabriella
  domenico michele michela simone simona daniele daniela giorgia giulia chiara luca marco paolo maria annamaria mariarosa
  juventus forzajuve forzajuventus forzamilan forzainter forzanapoli forzaroma forzalazio internazionale milan napoli roma italia
  forzaitalia ferrari valentinorossi pippobaudo superman batman spiderman starwars pokemon naruto dragonball
  football basketball baseball volleyball princess sunshine butterfly chocolate cioccolato strawberry computer internet
  microsoft google facebook instagram whatsapp telegram samsung iphone android windows minecraft fortnite playstation
  qwerty qwertyui qwertyuiop qwertyuiopasdfghjkl qwertyqwerty qwertyuiopasdfghjklzxcvbnm asdfgh asdfghjkl asdfghjklqwertyuiop
  asdfasdf asdfasdfasdf zxcvbnm zxcvbnmasdfghjkl qazwsx qazwsxedc qazwsxedcrfv qweasdzxc qweasd qweqweqwe abcabcabc abcdef
  abcdefgh abcdefghij abcdefghijk abcdefghijkl abcdefghijklmnopqrstuvwxyz aaaaaaaaaa trustno1 trustnoone monkey dragon master
  shadow michael jordan jennifer michelle charlie jessica ashley jonathan christopher alexander alexandra elizabeth
  secret segreto segretissimo testtest testtesttest test testing temporary temporanea provaprova provaprovaprova prova
  accesso accedi entra apritisesamo opensesame matrimonio fidanzata fidanzato laurea graduation anniversario sanvalentino`.split(
    /\s+/,
  ),
);

const KEY_RUNS = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'q1w2e3r4t5y6u7i8o9p0',
];

/** Is it one of the passwords that are tried first: a well-known word, a run of keys, a repetition, the e-mail itself? */
export function isCommonPassword(password: string, email: string): boolean {
  const plain = password.toLowerCase();
  const [mailbox = ''] = email.toLowerCase().split('@');
  if (plain === email.toLowerCase() || undecorated(plain) === undecorated(mailbox)) return true;
  if (COMMON.has(plain) || COMMON.has(undecorated(plain))) return true;
  return isRepetition(plain) || KEY_RUNS.some((run) => run.includes(plain));
}

function undecorated(text: string): string {
  return text.replace(DECORATION, '');
}

/** `aaaaaaaaaa`, `1212121212`, `amoreamoreamore`: a piece of up to six signs, over and over. */
function isRepetition(text: string): boolean {
  return /^(.{1,6}?)\1+.{0,5}$/su.test(text) && new Set(text).size <= 6;
}
