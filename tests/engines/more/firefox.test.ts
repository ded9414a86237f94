import { songThatStartsLater } from '../evenings.ts';
import { phoneTrial } from '../phone-trial.ts';
import { planB } from '../plan-b.ts';
import { firefox } from '../support/firefox.ts';

songThatStartsLater(firefox);
planB(firefox);
phoneTrial(firefox);
