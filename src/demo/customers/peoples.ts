/** First and family names that go together, and the countries where people have them. */
export interface People {
  /** The approximate percentage of customers. */
  readonly share: number
  readonly countries: readonly string[]
  readonly given: readonly string[]
  readonly family: readonly string[]
  /** Whether the family name comes first. */
  readonly familyFirst?: true
  /** The same names in Latin letters, in the same order, if they are written in another script. */
  readonly latin?: { readonly given: readonly string[]; readonly family: readonly string[] }
}

const words = (text: string): readonly string[] => text.split(' ')

export const peoples: readonly People[] = [
  {
    share: 18,
    countries: ['DE', 'DE', 'DE', 'AT', 'CH'],
    given: words(
      'Anna Jonas Lena Felix Marie Paul Sophie Lukas Jürgen Käthe Björn Ursula Günter Heike Matthias Renate',
    ),
    family: words('Müller Schmidt Schneider Weber Wagner Becker Schäfer König Größe Vogel Krüger Böhm Winkler Hofmann'),
  },
  {
    share: 11,
    countries: ['FR', 'FR', 'FR', 'BE', 'CA'],
    given: words('Zoé Hugo Chloé Léo Camille Jules Inès Gaël Élodie François Agnès Benoît Solène Théo'),
    family: words('Martin Bernard Dubois Lefèvre Moreau Garnier Béranger Chevalier Noël Rousseau Faure Gauthier'),
  },
  {
    share: 11,
    countries: ['ES', 'ES', 'MX', 'AR', 'CO'],
    given: words('Lucía Mateo Sofía Álvaro Mila Íñigo Valentina Andrés Inés Joaquín Ximena Sebastián Begoña Ramón'),
    family: words('García Sanz Muñoz Núñez Peña Ibáñez Fernández Ortega Domínguez Vázquez Cabrera Echeverría'),
  },
  {
    share: 7,
    countries: ['PT', 'BR', 'BR'],
    given: words('João Beatriz Tiago Conceição Gonçalo Inês Luís Mariana Antônio Fátima Caetano Letícia'),
    family: words('Silva Gonçalves Magalhães Araújo Conceição Pereira Simões Falcão Queirós Brandão'),
  },
  {
    share: 10,
    countries: ['GB', 'US', 'US', 'IE', 'AU'],
    given: words('Olivia Noah Charlotte Liam Niamh Seán Grace Harper Ethan Imogen Desmond Ruth Callum Beatrice'),
    family: words("Smith O'Brien Taylor Nguyen-Clarke Walker Hughes MacLeod Fitzgerald Bennett Okafor Patel Ward"),
  },
  {
    share: 7,
    countries: ['PL', 'CZ', 'SK'],
    given: words('Łukasz Zofia Małgorzata Paweł Jiří Tereza Vojtěch Kateřina Świętosława Michał Žofie Dušan'),
    family: words('Kowalczyk Wójcik Dąbrowska Žižka Černý Dvořák Łęcki Šťastný Zieliński Kučera'),
  },
  {
    share: 7,
    countries: ['SE', 'NO', 'DK', 'FI', 'IS'],
    given: words('Åsa Søren Ingrid Lars Þóra Jón Väinö Aino Øyvind Freja Björk Mikko Sigríður Nils'),
    family: words('Åkesson Sørensen Hansen Lindqvist Mäkinen Guðmundsdóttir Jónsson Bjørnstad Virtanen Nyström'),
  },
  {
    share: 6,
    countries: ['IT', 'IT', 'CH'],
    given: words('Giulia Niccolò Chiara Matteo Francesca Davide Letizia Riccardo Noè Beatrice'),
    family: words('Rossi Esposito Ferrari Colombo Greco Caffè Marini Bruno Barbieri Rinaldi'),
  },
  {
    share: 5,
    countries: ['TR', 'DE', 'NL'],
    given: words('Ayşe Mehmet Zeynep Çağlar Gülşen İbrahim Şule Emre Öykü Yiğit'),
    family: words('Yılmaz Öztürk Şahin Çelik Aydın Güneş Kılıç Doğan Işık'),
  },
  {
    share: 4,
    countries: ['GR', 'CY'],
    given: words('Ελένη Γιώργος Μαρία Νίκος Κατερίνα Δημήτρης'),
    family: words('Παπαδόπουλος Ιωάννου Νικολαΐδης Αλεξίου Καραγιάννη'),
    latin: {
      given: words('eleni giorgos maria nikos katerina dimitris'),
      family: words('papadopoulos ioannou nikolaidis alexiou karagianni'),
    },
  },
  {
    share: 5,
    countries: ['UA', 'BG', 'RS', 'KZ'],
    given: words('Олена Іван Марія Тарас Ганна Богдан Софія Ярослав'),
    family: words('Шевченко Коваленко Петров Бондаренко Мельник Ткаченко'),
    latin: {
      given: words('olena ivan mariia taras hanna bohdan sofiia yaroslav'),
      family: words('shevchenko kovalenko petrov bondarenko melnyk tkachenko'),
    },
  },
  {
    share: 4,
    countries: ['JP'],
    given: words('陽菜 蓮 結衣 大翔 さくら 健太 美咲 誠'),
    family: words('佐藤 鈴木 高橋 田中 渡辺 伊藤'),
    familyFirst: true,
    latin: {
      given: words('hina ren yui hiroto sakura kenta misaki makoto'),
      family: words('sato suzuki takahashi tanaka watanabe ito'),
    },
  },
  {
    share: 3,
    countries: ['CN', 'TW', 'SG'],
    given: words('伟 芳 秀英 敏 静 磊 雨桐 子轩'),
    family: words('王 李 张 刘 陈 杨'),
    familyFirst: true,
    latin: {
      given: words('wei fang xiuying min jing lei yutong zixuan'),
      family: words('wang li zhang liu chen yang'),
    },
  },
  {
    share: 2,
    countries: ['EG', 'MA', 'JO'],
    given: words('فاطمة عمر ليلى يوسف مريم خالد'),
    family: words('حداد منصور نجار بركات الخطيب'),
    latin: {
      given: words('fatima omar layla youssef maryam khaled'),
      family: words('haddad mansour najjar barakat alkhatib'),
    },
  },
]
