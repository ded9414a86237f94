import { songThatStartsLater } from '../evenings.ts';
import { keepsake } from '../keepsake.ts';
import { phoneTrial } from '../phone-trial.ts';
import { planB } from '../plan-b.ts';
import { firefox } from '../support/firefox.ts';

songThatStartsLater(firefox);
planB(firefox);
keepsake(firefox);
phoneTrial(firefox);
