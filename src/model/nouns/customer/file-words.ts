import { type FileWords, spoken } from '../../declaration/file-words.ts'

/** The words of other programs, shops and phones for the fields of customers. */
export const customerFileWords: FileWords = {
  prefixes: ['Person', 'Contact', 'Customer'],
  headings: {
    reference: spoken(
      'Reference, Ref, Customer ID, Customer number, Customer no, Contact ID, Record ID, External ID, ID, Kundennr, Kundennummer, Kunden-Nr, Kd-Nr, Debitor, Debitorennummer, Nummer, Nr, Number, No, N° client, Numéro client, Numéro, Nº de cliente, Número de cliente, Número',
    ),
    name: spoken(
      'Full name, Display name, Customer, Customer name, Contact, Contact name, Contact person, Person, Kunde, Kundenname, Vollständiger Name, Anzeigename, Ansprechpartner, Ansprechpartnerin, Kontakt, Kontaktname, Kontaktperson, Client, Nom complet, Cliente, Nombre completo, Contacto, Billing name',
    ),
    email: spoken(
      'Mail, Email address, E-mail address, Primary email, Work email, Email - Work, Email - Home, Email - Other, E-mail 1 - Value, E-Mail-Adresse, Mailadresse, Courriel, Adresse e-mail, Adresse email, Correo, Correo electrónico',
    ),
    phone: spoken(
      'Phone number, Telephone, Telephone number, Primary phone, Work phone, Business phone, Phone - Work, Phone 1 - Value, Tel, Telefonnummer, Rufnummer, Telefon geschäftlich, Mobile, Mobile phone, Mobile number, Phone - Mobile, Cell, Cell phone, Handy, Handynummer, Mobil, Mobiltelefon, Mobilnummer, Portable, Téléphone portable, Móvil, Celular, Home phone, Phone - Home',
    ),
    company: spoken(
      'Company name, Organization, Organisation, Organization name, Organization 1 - Name, Account, Account name, Associated company, Billing company, Firma, Firmenname, Unternehmen, Société, Entreprise, Empresa, Organización, Compañía',
    ),
    country: spoken(
      'Country/Region, Country code, Mailing country, Billing country, Shipping country, Business Country/Region, Address 1 - Country, Default Address Country Code, Staat, Ländercode, Länderkennzeichen, Pays, País',
    ),
  },
  parts: {
    name: [
      spoken('First name, Given name, Firstname, Vorname, Prénom, Nombre, Billing first name'),
      spoken('Middle name, Additional name, Zweiter Vorname'),
      spoken(
        'Last name, Family name, Surname, Lastname, Nachname, Familienname, Nom, Nom de famille, Apellido, Apellidos, Billing last name',
      ),
    ],
  },
}
