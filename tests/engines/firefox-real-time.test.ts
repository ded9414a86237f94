import { hearing } from './evenings.ts';
import { oneTripInRealTime } from './one-trip.ts';
import { phoneTrial } from './phone-trial.ts';
import { firefox } from './support/firefox.ts';

oneTripInRealTime(firefox);
hearing(firefox);
phoneTrial(firefox);
