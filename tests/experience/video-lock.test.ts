import { expect, test } from 'vitest';
import { PLAYBACK_RATES } from '../../src/domain/limits.ts';
import type { FakeFilm } from './support/fake-film.ts';
import { runScript } from './support/film-script.ts';

/**
 * Rules of the film lock, each as a script (`support/film-script.ts`). The film lasts 20 s and has played for about
 * one.
 */

const PLAYING: [rule: string, story: string][] = [
  ['ignores a second start tap', 'start plays=1'],
  [
    'undoes a pause after 150 ms, several together once',
    'paused pause pause 100 plays=1 200 plays=2 paused=false phase=playing',
  ],
  ['undoes a pause that nobody told of', 'paused:true 1s plays=2 paused=false'],
  [
    'asks after more than four pauses undone in five seconds',
    'paused 300 paused 300 paused 300 paused 300 phase=playing paused 300 phase=blocked plays=5 resume 500 phase=playing',
  ],
  [
    'undoes pauses that are spread over time for ever',
    'paused 1500 paused 1500 paused 1500 paused 1500 paused 1500 paused 1500 paused 1500 paused 1500 phase=playing',
  ],
  [
    'leaves a pause of a hidden page alone until it is seen again',
    'hidden:true paused 10s phase=osPaused plays=1 mark show visible plays=2 500 phase=playing moved>0.2 moved<1',
  ],
  [
    'takes a pause of a hidden page for the phone’s at once',
    'hidden:true paused 50 phase=osPaused show plays=2',
  ],
  [
    'takes a pause just before the page is hidden for the phone’s',
    'paused 50 hide 5s phase=osPaused plays=1',
  ],
  ['undoes pauses as ever after a return', 'paused 50 hide show 1s plays=2 paused 250 paused=false plays=3'],
  [
    'pauses when the page is hidden, and again if it is played',
    'hide pauses=1 paused:false playing pauses=2',
  ],
  [
    'asks 400 ms after the phone’s own player was left, if the one play was refused',
    'paused:true refusal:AbortError nativeLeft pause 50 phase=playing 400 phase=blocked refusal:none resume 300 phase=playing',
  ],
  [
    'asks nothing after the phone’s own player if the play helped',
    'paused:true nativeLeft 300 phase=playing 700 phase=playing plays=2 paused 1s phase=playing plays=3',
  ],
  [
    'asks for a tap if playing is refused, after a few tries',
    'refusal:NotAllowedError paused 20s phase=blocked plays<6',
  ],
  ['asks nothing while the page is hidden', 'hidden:true refused:NotAllowedError phase=osPaused'],
  ['takes AbortError for nothing', 'refused:AbortError phase=playing told=nothing'],
  ['takes a seek back, once', '3s mark seek:0 1s backAtMark=true moved>0.4 moved<1.4'],
  ['takes two seeks in a row back', '3s mark seek:10 50 seek:15 1s moved>0.2 moved<1.4'],
  [
    'believes no end on the way back or while the film goes on',
    'ended phase=playing seeks=none plays=1 seek:10 50 ourSeek=true ended:true ended phase=playing plays=1',
  ],
  ['does not end by a seek to the very end', 'ended:true position:end ended 1s told=nothing position<5'],
  ['lets a seek by less than 0.75 s be', 'jump:0.6 seeking:false timeupdate 300 seeks=none'],
  [
    'takes a source that can’t be sought as it is after three tries',
    '3s seekable:false seek:10 3s tried=3 phase=playing',
  ],
  ['puts a player that restarted unasked right', '4s position:0 2s position>4'],
  [
    'ends 1.5 s after the last progress if the browser does not say so',
    'served:19.8 18900 told=nothing 2500 told=ended ended told=ended',
  ],
  ['ends a film that was paused in its last moments', 'served:19.9 19s paused 3s plays=1 told=ended'],
];

const TROUBLE: typeof PLAYING = [
  [
    'shows the spinner at 1.5 s, kicks the film at 8 s and loads it again at 12 s',
    'served:here 1s phase=playing 1500 phase=stalled 5s plays=1 loads=0 1500 plays=2 loads=0 4s loads=1',
  ],
  ['believes in playing only when the film moves', 'served:here 2500 playing timeupdate phase=stalled'],
  [
    'does not load a film again while its buffer still grows',
    `arrived:here 2s starved:true ${'arrived:+ 1s '.repeat(20)}loads=0 phase=stalled`,
  ],
  ['loads again at 3 s after the connection was away', 'offline online served:here 4s loads=1'],
  [
    'loads a film that stands still at once when the connection is back',
    'served:here 2500 phase=stalled loads=0 online loads=1',
  ],
  ['leaves a film that plays alone when the connection is back', 'online 1s phase=playing loads=0'],
  [
    'loads again after 1, 2, 4, 8, 8 s for a minute, then offers another try, then gives up',
    '2s mark served:NaN fail phase=stalled 59s phase=stalled told=nothing gaps=2,4,8,8,8,8,8,8 15s phase=failed told=nothing 60s loads=9 retry phase=stalled loads=10 25s phase=failed told=gaveUp placeKept=true',
  ],
  [
    'gives the last chance by her own tap alone',
    'served:NaN fail 75s phase=failed online phase=stalled 75s phase=failed told=nothing retry 25s told=gaveUp',
  ],
  [
    'tries for ever while offline, and at once when the connection is back',
    '2s mark offline fail 300s phase=stalled gaps=2,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8 loads=39 online loads=40 1500 phase=playing moved<1.5',
  ],
  [
    'plays inside the tap on «Riprova»',
    'served:NaN fail 90s plays=1 served:all retry plays=2 30s told=ended',
  ],
  [
    'comes back from «Riprova» with the connection',
    'served:NaN fail 90s phase=failed served:all online 1500 phase=playing',
  ],
  ['waits no longer for a load when the source fails once more', 'served:NaN fail 900 fail 200 loads=1'],
  ['leaves a film that was given up alone', 'served:NaN fail 90s fail phase=failed'],
  [
    'waits as at first after the connection was back',
    'offline fail 30s served:NaN online 8s gaps=2,4,8,8,7,2,4',
  ],
  ['is past its trouble 2 s beyond it', '2s mark fail 3s tick trouble=true 1s trouble=false'],
  [
    'waits while the page is hidden, and loads when it is seen',
    'hide fail 120s phase=osPaused loads=0 show loads=1 1500 phase=playing',
  ],
  [
    'does not load a blocked film when the connection is back',
    'refused:NotAllowedError fail offline online 30s phase=blocked loads=0',
  ],
  [
    'counts no hidden time as trying',
    'fail 2500 phase=playing hide 300s show fail phase=stalled 30s told=ended',
  ],
  ['does not take a failure for a pause', 'fail pause 500 plays=1'],
];

const LIGHTER: typeof PLAYING = [
  ['goes on as it is after the first stall', 'stall phase=playing lightened=0 loads=0'],
  ['is never changed twice', 'stall stall stall stall lightened=1 loads=1 phase=playing'],
  [
    'goes on as it is where there is no light film',
    'lighter:false stall stall stall stall loads=0 phase=playing',
  ],
  [
    'counts a connection that broke as a stall',
    'fail phase=stalled 6s lightened=0 fail phase=stalled 6s lightened=1 phase=playing',
  ],
  [
    'counts no pause of the phone, nor the way back from it',
    `${'hide 5s arrived:here show 2500 arrived:null 500 '.repeat(4)}lightened=0 phase=playing`,
  ],
  [
    'ends in «Riprova» if the light film does not come either',
    'stall served:NaN arrived:here 2s arrived:null 90s phase=failed lightened=1 served:all retry 2s phase=playing lightened=1',
  ],
  [
    'gives the light film a minute of its own',
    'stall served:NaN arrived:here 2s arrived:null 55s phase=stalled',
  ],
];

test.each(PLAYING)('%s', (_rule, story) => void runScript(story));
test.each(TROUBLE)('%s', (_rule, story) => void runScript(story));
test.each(LIGHTER)('%s', (_rule, story) => void runScript(`lighter:true ${story}`));

test.each<[rule: string, story: string]>([
  [
    'plays from the start tap to the end, told once',
    'phase=idle start phase=starting plays=1 1s phase=playing 30s phase=ended told=ended',
  ],
  ['ends no film that nobody has started', 'ended:true ended phase=idle told=nothing seeks=none plays=0'],
  [
    'tells of a refused start only when the second one is refused, too',
    'refusal:NotAllowedError start 100 phase=blocked told=nothing resume 100 phase=blocked told=cannotStart refusal:none resume 500 phase=playing',
  ],
  [
    'tells of a film that never moved after a minute, with «Riprova»',
    'served:NaN duration:NaN start fail refused:NotSupportedError 50s told=nothing 25s phase=failed told=cannotStart',
  ],
  [
    'counts no wait after the start tap as a stall',
    'lighter:true arrived:0 start 2s phase=stalled arrived:null 1s stall lightened=0 stall lightened=1',
  ],
])('%s', (_rule, story) => void runScript(story, 0, null));

test('starts at the saved second, and ends in the last moments without asking for a tap', () => {
  runScript('seeks=12 position>12.5 12s told=ended', 12);
  runScript('750 refusal:AbortError paused:true nativeLeft 4s told=ended', 18);
});

test.each(PLAYBACK_RATES)('plays at %f and restores that rate', (rate) => {
  runScript(`rate:4 ratechange rate=${rate} ${30_000 / rate} told=ended seeks=none`, 0, rate);
});

test('recovers, also with the light film, at its position and speed', () => {
  runScript(
    'served:here 10s mark served:all arrived:here 3s arrived:null loads=1 1500 phase=playing rate=1.5 backAtMark=true 30s told=ended',
    0,
    1.5,
  );
  runScript(
    'lighter:true stall arrived:here 2s mark lightened=1 loads=1 arrived:null 1s phase=playing rate=1.5 backAtMark=true 30s told=ended lightened=1',
    0,
    1.5,
  );
});

test.each([
  [3.6, 1],
  [3.4, 0],
])('treats a jump by %f s at double speed as not played: %i', (by, seeks) => {
  // Sampled after half a second: 1.5 s of playing and half a second of slack make 3.5 s.
  const film = runScript(`500 jump:${by} tick`, 0, 2);
  expect(film.seeks).toHaveLength(seeks);
});

test('accepts the progress of a page that was stuck for seconds', () => {
  const film = runScript('mark');
  film.now += 6_000;
  film.position += 6;
  film.send({ type: 'timeupdate' });
  expect(film.state.lastGood).toBe(film.position);
});

test('calls play() again on the tick that finds the film still for 8 s', () => {
  const film = runScript('served:here');
  for (let slices = 0; film.plays.length < 2 && slices < 400; slices += 1) film.pass(50);
  expect(film.now - film.state.advancedAt).toBe(8_000);
});

test('ends at the third decoding failure, and offers a retry if the source fails', () => {
  const failing = (undecodable: boolean): [FakeFilm, number] => {
    const film = runScript('mark');
    film.undecodable = undecodable;
    let failures = 0;
    for (let count = 0; count < 2_000 && !['ended', 'failed'].includes(film.phase); count += 1) {
      film.pass(100);
      if (film.position < 4.3 || Number.isNaN(film.duration)) continue;
      failures += 1;
      film.fail();
    }
    return [film, failures];
  };
  const [film, failures] = failing(true);
  expect([failures, film.announcements]).toEqual([3, ['ended']]);
  expect(failing(false)[0].phase).toBe('failed');
});
