/**
 * Lists short forms of first names, and other spellings whose letters do not sound alike, in Portuguese, Spanish and English. In
 * lower case and without accents. A name that is merely similar to another is not here: it may be that of another person. What a
 * rule forms, such as `Paulinho` and `Juanito`, is in names.ts.
 */

/** https://www.liquisearch.com/portuguese_name/diminutive and https://carrieannebrownian.wordpress.com/2016/03/11/a-primer-on-portuguese-names/ */
const PORTUGUESE = `
adri: adriana adriano adriane adrian; analu: luisa lucia
babi: barbara; bel: isabel isabela izabel maribel; bela: isabela
beto: alberto roberto humberto gilberto norberto adalberto heriberto; bia: beatriz bianca fabiana; biel: gabriel
bru: bruna bruno
cacau: claudia; cadu: carlos; carol: carolina caroline; chico: francisco; cida: aparecida; clau: claudia claudio
cris: cristina cristiane cristiano cristian christopher
dani: daniel daniela daniele danilo; didi: adriana; digo: rodrigo diogo; dri: adriana adriano; drica: adriana
duda: eduarda eduardo; dudu: eduardo
edu: eduardo eduarda
fabi: fabiana fabiola fabio; fe: fernanda fernando felipe; felipe: filipe; fer: fernanda fernando
flor: florencia florinda; fran: francisca francisco franciele francine frances; fred: frederico
gabi: gabriela gabriel gabriele; geovana: giovana; gil: gilberto gilmar gilson gilda; guga: gustavo augusto
gui: guilherme; guto: augusto gustavo
helena: elena; heloisa: eloisa
isa: isabel isabela isadora luisa
jana: janaina; jeferson: geferson; jo: joana josefa joao jose jonas josiane; ju: juliana julia julio juliano jussara
juca: jose
kaka: carlos ricardo; kiko: francisco henrique
lena: helena madalena; leo: leonardo leandro leopoldo leonor leonel; leti: leticia; lice: alice
lili: alice liliana lilian; lipe: felipe; lu: luciana luisa luana lucia luis lucas luciano lucimara ludmila
ma: maria; maju: julia; malu: luisa; manel: manuel; manoel: manuel; manu: manuela manuel emanuel emanuela emanuele
marcos: marcus; mari: maria mariana marina marilia mariane marisa maricela; marilu: lucia luz
mel: melissa melina amelia; mi: michele miriam camila; mila: camila emilia ludmila
nanda: fernanda; nando: fernando; neto: ernesto; nico: nicolas nicolau nicole; nina: marina carolina janina giovanina
pati: patricia; pri: priscila
quico: francisco; quim: joaquim
rafa: rafael rafaela; rai: raimundo raimunda raissa raiane; raquel: rachel; re: renata renato regina rebeca
ro: rodrigo rosana roberta roberto rosangela romulo; rodri: rodrigo; rosi: rosangela rosimeire rosana
sil: silvia silvana silvio; sol: solange soledad; su: susana sueli
tati: tatiana tatiane; tiao: sebastiao; tina: cristina christina martina ernestina agustina valentina; tito: ernesto
tonho: antonio; toninho: antonio
vini: vinicius; vinicius: vinicios; vivi: viviane vivian viviana virginia
xanda: alexandra; xande: alexandre
ze: jose; zeca: jose; zeze: jose
`;

/** https://chimatli.org/blog/?m=201003 (March 2010), https://kuaest.enl.plus/?p=12749 and https://mexiconewsdaily.com/mexico-living/mexican-slang-101-nicknames/ */
const SPANISH = `
ale: alejandro alejandra alexandre alexandra alessandra alessandro; alejo: alejandro
alex: alejandro alejandra alexandre alexandra alexander alexsandro alexia; asun: asuncion
bea: beatriz beatrice; bego: begona; beni: benito; berna: bernardo; berto: alberto roberto; beti: beatriz elisabet
carmela: carmen; caro: carolina; ceci: cecilia; chabela: isabel; chago: santiago; chalo: gonzalo; chano: sebastian
charly: carlos charles; charo: rosario; chava: salvador; chayo: rosario; chechu: jesus; checo: sergio; chela: graciela marcela
cheli: araceli; chelo: consuelo marcelo; chema: jose; chente: vicente; chepe: jose; chepina: josefina
chona: concepcion asuncion encarnacion; chucho: jesus; chus: jesus; chuy: jesus; concha: concepcion; conchi: concepcion
curro: francisco
dori: adoracion
eli: elisa elena elisabet elizabeth eliana
fco: francisco; fede: federico; fito: adolfo
gonza: gonzalo; goyo: gregorio; guille: guillermo guillermina
huicho: luis
inma: inmaculada
jandro: alejandro; javi: javier xavier; javier: xavier; juanca: juan; juancho: juan; juani: juana; juanjo: juan
juanma: juan
kike: enrique
lalo: eduardo; lencho: lorenzo florencio; licha: alicia; lina: carolina adelina; lola: dolores; lolo: manuel
lucha: lucia; lucho: luis luciano; luismi: luis; lulu: lourdes; lupe: guadalupe; lupita: guadalupe
macu: inmaculada; mada: magdalena; magda: magdalena; maite: teresa; malena: magdalena elena; mando: armando
manolo: manuel; margo: margarita; maribel: isabel; marisa: luisa isabel; marisol: soledad; maru: eugenia; maruja: maria
mati: matias matilde; maxi: maximo maximiliano; meche: mercedes; memo: guillermo; menchu: carmen; merce: mercedes
merche: mercedes; merci: mercedes; migue: miguel; mingo: domingo; moncho: ramon
nacho: ignacio; nati: natalia natividad
paca: francisca; paco: francisco; pancho: francisco; paqui: francisca; pato: patricio; patri: patricia; pepa: josefa
pepe: jose; pepin: jose; perico: pedro; pili: pilar; pipe: felipe; poli: hipolito policarpo; poncho: alfonso
quique: enrique
reme: remedios; richi: ricardo
santi: santiago; seba: sebastian; sole: soledad; susi: susana
tacho: anastasio; teo: teodoro timoteo doroteo; tere: teresa; tona: antonia; toni: antonio antonia anthony
tono: antonio
vane: vanesa; vero: veronica; viki: victoria
willy: guillermo william
xavi: javier xavier; ximena: jimena
yoli: yolanda
`;

/** https://github.com/carltonnorthern/nicknames (1 Jun 2026): names.csv */
const ENGLISH = `
abby: abigail; abe: abraham; al: albert alfonso alfred alan alexander alvin; allie: allison alice; amy: amelia
andy: andrew anderson; angie: angela angelina angelica; annie: ann anne anna; archie: archibald; art: arthur
babs: barbara; barb: barbara; bart: bartholomew; becca: rebecca; becky: rebecca; bella: isabella; ben: benjamin benedict
bennie: benjamin benedict; bernie: bernard bernadette; bert: albert robert bertram herbert gilbert; bess: elizabeth
beth: elizabeth; betsy: elizabeth; betty: elizabeth; bev: beverly; bill: william; billy: william; bob: robert
bobby: robert; brad: bradley bradford
cal: calvin caleb; cam: cameron; candy: candace; carrie: caroline carolyn; cassie: cassandra; cathy: catherine
chad: chadwick; charlie: charles charlotte; chip: charles
chris: christopher christian christina christine cristina cristiano; chuck: charles; cindy: cynthia
cliff: clifford clifton; connie: constance
dan: daniel; danny: daniel; dave: david; davi: david; deb: deborah; debbie: deborah; dick: richard; don: donald
donnie: donald; doug: douglas; drew: andrew
ed: edward edgar edmund eduardo edson; eddie: edward; eddy: edward; elizabeth: elisabete; ellie: eleanor ellen elizabeth
ernie: ernest
frank: francis franklin; freddy: frederick alfred; fritz: frederick
gabe: gabriel; gail: abigail; gene: eugene; geoff: geoffrey; gerry: gerald; gina: regina georgina; ginny: virginia
greg: gregory; gus: augustus; gwen: gwendolyn
hal: harold henry; hank: henry; harry: harold henry; herb: herbert
jack: john jackson; jackie: jacqueline; jake: jacob; jamie: james; jeff: jeffrey jefferson; jeffrey: geoffrey
jen: jennifer; jenny: jennifer; jerry: gerald jeremiah jerome; jess: jessica; jessie: jessica; jim: james; jimmy: james
joe: joseph; joey: joseph; johnny: john; jon: jonathan john; josh: joshua; judy: judith
kate: katherine catherine caitlin; katherine: catherine katharine kathryn; kathleen: cathleen
kathy: katherine catherine kathleen; katie: katherine catherine; ken: kenneth; kim: kimberly
larry: lawrence; liz: elizabeth; lou: louis louise
maggie: margaret; mandy: amanda; marge: margaret marjorie; marty: martin; matt: matthew matheus; max: maximilian maxwell
meg: margaret megan; mick: michael; mickey: michael; mike: michael; millie: mildred camille; mitch: mitchell
molly: mary margaret
nancy: ann; nate: nathan nathaniel; ned: edward; nell: eleanor ellen; nellie: eleanor ellen; nicholas: nicolas; nick: nicholas
nora: eleanor; norm: norman
pat: patricia patrick; patty: patricia; paty: patricia; peggy: margaret; penny: penelope; pete: peter; phil: philip
polly: mary
ray: raymond; reggie: reginald; rich: richard; richie: richard; rick: richard ricardo; rob: robert roberto
robbie: robert; ron: ronald; ronnie: ronald veronica; rosie: rose; russ: russell
sally: sarah; sam: samuel samantha; sammy: samuel; sandy: sandra alexandra; shelly: michelle; sid: sidney; stan: stanley
stella: estella; stephen: steven; steve: steven stephen; sue: susan susanna; susie: susan susana
ted: edward theodore; teddy: edward theodore; terry: terrence theresa; tess: theresa; theo: theodore; tim: timothy
timmy: timothy; tom: thomas tomas antonio; tommy: thomas; tony: anthony antonio; trish: patricia
val: valerie; vicky: victoria vitoria; vince: vincent vincente
walt: walter; wes: wesley; will: william
zach: zachary
`;

/** The full names of each short form, separated by spaces. */
export const SHORT_FORMS: Record<string, string> = Object.fromEntries(
	[PORTUGUESE, SPANISH, ENGLISH]
		.flatMap((forms) => forms.trim().split(/; |\n/))
		.map((form) => form.split(': ')),
);
