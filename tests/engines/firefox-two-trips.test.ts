import { twoTripEvenings } from './evenings.ts';
import { firefox } from './support/firefox.ts';

twoTripEvenings(firefox);
