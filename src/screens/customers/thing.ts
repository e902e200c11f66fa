import { say } from '../../languages/say.ts'
import type { ShownCustomer } from '../parts/shown.ts'
import { thingScreen } from '../thing/thing-screen.ts'

export const customerScreen = thingScreen<ShownCustomer>({
  inPlace: true,
  fields: ['name', 'company', 'phone', 'email', 'country', 'age', 'children'],
  facts: {
    age: ({ age }) => age !== null && undefined,
    children: ({ children }) => children !== null && undefined,
  },
  removal: say('Possible only while no deal refers to this customer. It cannot be undone.'),
})
